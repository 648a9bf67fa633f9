// RUN: orison-opt --allow-unregistered-dialect --tileas-generate-schedule='machine=%S/Inputs/small-machine.toml strategy=cost-based' --tileas-verify-schedule='machine=%S/Inputs/small-machine.toml' %s | FileCheck %s
// RUN: not orison-opt --tileas-generate-schedule='machine=%S/Inputs/unknown-slot.toml' %s 2>&1 | FileCheck %s --check-prefix=SLOT
// RUN: not orison-opt --tileas-generate-schedule='machine=%S/Inputs/wrong-type.toml' %s 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not orison-opt --tileas-generate-schedule='machine=%S/Inputs/absent.toml' %s 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not orison-opt --tileas-generate-schedule='machine=hoper' %s 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: orison-opt --dump-machine=hopper > %t.toml
// RUN: orison-opt --tileas-generate-schedule='machine=%t.toml' %S/../../examples/gemm.mlir -o %t.file
// RUN: orison-opt --tileas-generate-schedule='machine=hopper' %S/../../examples/gemm.mlir -o %t.name
// RUN: diff %t.file %t.name
// RUN: orison-opt --machine=%t.toml --tileas-generate-schedule --tileas-verify-schedule %S/../../examples/gemm.mlir -o %t.flag
// RUN: diff %t.flag %t.name
// RUN: orison-opt --machine=blackwell --pass-pipeline='builtin.module(tileas-generate-schedule{machine=hopper},canonicalize)' --dump-pass-pipeline %S/../../examples/gemm.mlir 2>&1 | FileCheck %s --check-prefix=TOLD
// RUN: not orison-opt --machine=hoper --tileas-generate-schedule %s 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: not orison-opt --machine=hopper --cse %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not orison-opt --dump-machine=hoper 2>&1 | FileCheck %s --check-prefix=DUMP

// SLOT: unknown-slot.toml:20:10: error: unknown slot `engine`
// TYPE: wrong-type.toml:21:12: error: unknown rate or variable 'five'
// ABSENT: cannot read '{{.*}}absent.toml': No such file or directory
// NAME: no such value 'hoper'; did you mean 'hopper'?
// TOLD: tileas-generate-schedule{
// TOLD-SAME: machine=hopper
// FLAG: orison-opt: --machine: no such value 'hoper'; did you mean 'hopper'?
// NONE: orison-opt: --machine: no pass of the pipeline takes a machine model
// DUMP: unknown machine model 'hoper'; did you mean 'hopper'?

// In a machine with one unit, two operations hold it for 3 cycles each.
// CHECK-LABEL: @two
// CHECK: ii = 6 : i32
// CHECK-SAME: resource = 6 : i32
nv_tileaa.func @two(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %i : index
    %a, %ta = nv_tileas.tiled_load %view[%c0, %j] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"ldg_128">, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
