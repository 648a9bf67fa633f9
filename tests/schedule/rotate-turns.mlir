// RUN: orison-opt %s --machine=hopper --tileas-generate-schedule --tileas-materialize-schedule --tileas-verify-pipelines -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: orison-interpret %t.mlir --entry turns --tiles 5 --args='[null, null, 3, 5]' --random-inputs 3 --interleavings 20 --compare-with %s | FileCheck %s --check-prefix=SAME

// Two compute agents that take turns share memory and registers: each overlaps its iterations as far as
// one half permits. Overlapping needs four slots of 32 KiB, and two such rings are more than the 227 KiB
// of a block, so both agents have the three slots that the schedule needs.
//
// CHECK-LABEL: @turns
// CHECK: alloc_tensor in "smem" : !nv_tileas.tiled_view<3x2x128x64xf16, smem>
// CHECK: alloc_tensor in "smem" : !nv_tileas.tiled_view<3x2x128x64xf16, smem>
// CHECK-NOT: alloc_tensor
// CHECK: agent_switch
// SAME: 20 interleavings
nv_tileaa.func @turns(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %tiles: index, %n: index)
    attributes {nv_tileaa.kernel_spec = {numWarps = 12 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x128xf32, gmem>
  scf.for %i = %c0 to %tiles step %c1 {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
      %a, %ta = nv_tileas.tiled_load %view[%i, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
      %b, %tb = nv_tileas.tiled_load %view[%c0, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
      %next = nv_tileas.dot %a, %b, %acc {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
      scf.yield %next : tensor<128x128xf32>
    }
    %done = nv_tileas.tiled_store %sum, %out[%i, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.tiled_view<128x128xf32, gmem> -> !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
