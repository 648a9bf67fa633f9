// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule='use-aus=true unspecialized-pipeline-num-stages=4' %s | FileCheck %s

// The number of iterations of a loop with constant bounds: with four stages, three iterations are
// loaded before the loop, if there are that many, and as many are used behind it.

// From 0 below 5 in steps of 2 are three iterations.
// CHECK-LABEL: @three
// CHECK-NOT: scf.if
// CHECK-COUNT-3: produce_one_async
// CHECK-NOT: produce_one_async
// CHECK: scf.for
// CHECK: consume_one
// CHECK: produce_one_async
// CHECK: }
// CHECK-COUNT-3: consume_one
// CHECK-NOT: consume_one
nv_tileaa.func @three(%p: !nv_tileaa.memref<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %c5 step %c2 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}

// -----

// From 3 below 7 in steps of 2 are two.
// CHECK-LABEL: @two
// CHECK-NOT: scf.if
// CHECK-COUNT-2: produce_one_async
// CHECK-NOT: produce_one_async
// CHECK: scf.for
// CHECK: }
// CHECK-COUNT-2: consume_one
// CHECK-NOT: consume_one
nv_tileaa.func @two(%p: !nv_tileaa.memref<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c3 to %c7 step %c2 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}

// -----

// An iteration stores what the same iteration loads: the load is not issued ahead of the store before
// it, and the loop stays as it is.
// CHECK-LABEL: @store_before_load
// CHECK-NOT: create_pipeline
// CHECK: tiled_store
// CHECK: tiled_load
nv_tileaa.func @store_before_load(%p: !nv_tileaa.memref<?x?xf16>, %n: index, %x: tensor<64x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %t) -> (!nv_tileaa.mem_token) {
    %done = nv_tileas.tiled_store %x, %view[%c0, %i] token %before : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %done : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
    scf.yield %ta : !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
