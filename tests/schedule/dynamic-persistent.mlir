// RUN: orison-opt --split-input-file --verify-diagnostics %s --tileas-dynamic-persistent | FileCheck %s
// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-dynamic-persistent --tileas-dynamic-persistent 2>&1 | FileCheck %s --check-prefix=TWICE

// The loop continues while the coordinates are those of a program. The body uses them, also in
// nested regions, and then takes the next program from the grid's queue.
//
// CHECK-LABEL: @kernel
// CHECK-SAME: tileas.persistent = "dynamic"
// CHECK: %[[X0:.+]] = nv_tileaa.get_program_id axis 0
// CHECK: %[[Y0:.+]] = nv_tileaa.get_program_id axis 1
// CHECK: %[[Z0:.+]] = nv_tileaa.get_program_id axis 2
// CHECK: scf.while (%[[A:.+]] = %[[X0]], %[[B:.+]] = %[[Y0]], %[[C:.+]] = %[[Z0]]) : (index, index, index) -> (index, index, index) {
// CHECK: %[[VALID:.+]] = nv_tileaa.is_valid_program_id(%[[A]], %[[B]], %[[C]])
// CHECK: scf.condition(%[[VALID]]) %[[A]], %[[B]], %[[C]] : index, index, index
// CHECK: } do {
// CHECK: ^bb0(%[[X:.+]]: index, %[[Y:.+]]: index, %[[Z:.+]]: index):
// CHECK-NOT: get_program_id
// CHECK: scf.for
// CHECK: nv_tileas.tiled_load %{{.+}}[%[[Y]], %[[X]]]
// CHECK-NOT: get_program_id
// CHECK: %[[NEXT:.+]]:4 = nv_tileas.cancel_next_program_id : i1, index, index, index
// CHECK: scf.yield %[[NEXT]]#1, %[[NEXT]]#2, %[[NEXT]]#3 : index, index, index
// CHECK: nv_tileaa.return
//
// TWICE: warning: Kernel is already dynamic persistent
// TWICE-COUNT-1: scf.while
// TWICE-NOT: scf.while
nv_tileaa.func @kernel(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %x = nv_tileaa.get_program_id axis 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %t = nv_tileaa.create_mem_token
  scf.for %i = %c0 to %n step %c1 {
    %y = nv_tileaa.get_program_id axis 1
    %tile, %done = nv_tileas.tiled_load %view[%y, %x] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"ldg_128">, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// CHECK-LABEL: @no_id() {
// CHECK-NOT: scf.while
nv_tileaa.func @no_id() {
  nv_tileaa.return
}

// -----

// expected-warning @+1 {{Kernel is already dynamic persistent}}
nv_tileaa.func @twice() attributes {tileas.persistent = "dynamic"} {
  %m = nv_tileaa.get_program_id axis 0
  nv_tileaa.return
}

// -----

// expected-warning @+1 {{Kernel is already static persistent}}
nv_tileaa.func @other() attributes {tileas.persistent = "static"} {
  %m = nv_tileaa.get_program_id axis 0
  nv_tileaa.return
}

// -----

nv_tileaa.func @returns() -> index {
  %m = nv_tileaa.get_program_id axis 0
  // expected-error @+1 {{Kernel functions do not support return with operands}}
  nv_tileaa.return %m : index
}

// -----

// expected-error @+1 {{cannot be made persistent: its body has several blocks}}
nv_tileaa.func @blocks() {
  %m = nv_tileaa.get_program_id axis 0
  cf.br ^end
^end:
  nv_tileaa.return
}
