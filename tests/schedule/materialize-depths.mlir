// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule='strategy=serial' --tileas-materialize-schedule='depth=1' %s | FileCheck %s

// The slots that a schedule needs, where none beyond them are asked for. The serial schedule starts a
// load at cycle 0 and its reader at cycle 8, which takes 4 cycles: an interval of 12.

// The tile is alive for one interval; but the ends of the pipe are in different agents, which needs two.
// CHECK-LABEL: @one_interval
// CHECK: create_pipeline {{.*}}numStages = 2 : i32
nv_tileaa.func @one_interval(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}

// -----

// The tile is read two iterations later: from cycle 0 to cycle 8 + 2 * 12 + 4, three intervals.
// CHECK-LABEL: @two_iterations_later
// CHECK: create_pipeline {{.*}}numStages = 3 : i32
nv_tileaa.func @two_iterations_later(%p: !nv_tileaa.memref<?x?xf16>, %n: index, %x: tensor<64x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%young = %x, %old = %x) -> (tensor<64x64xf16>, tensor<64x64xf16>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%old) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
    scf.yield %a, %young : tensor<64x64xf16>, tensor<64x64xf16>
  }
  nv_tileaa.return
}
