// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule %s | FileCheck %s

// What agents must not do: release a slot that is still read, read twice what is written between.

// The product of an iteration is waited for in the next one: no slot can be released at the end of the
// iteration that fills it, so the tile is loaded into registers and nothing is passed.
// CHECK-LABEL: @outlives_the_iteration
// CHECK-NOT: create_pipeline
// CHECK: nv_tileas.tiled_load
// CHECK: nv_tileas.async.dot
nv_tileaa.func @outlives_the_iteration(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %none = nv_tileas.create_none : !nv_tileas.async_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %before = %none) -> (tensor<64x64xf32>, !nv_tileas.async_token) {
    nv_tileas.async.wait %before
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %d, %done = nv_tileas.async.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d, %done : tensor<64x64xf32>, !nv_tileas.async_token
  }
  nv_tileas.async.wait %r#1
  "test.result"(%r#0) : (tensor<64x64xf32>) -> ()
  nv_tileaa.return
}

// -----

// The bound of the loop is read from memory, and the kernel writes memory in an order that no token
// tells: only the compute agent reads the bound, and passes it.
// CHECK-LABEL: @bound_that_may_be_written
// CHECK: agent_switch
// CHECK-NOT: nv_tileas.load
// CHECK: consumer_wait
// CHECK: scf.for
// CHECK: tiled_tma_load
// CHECK: }, {
// CHECK: nv_tileas.load
nv_tileaa.func @bound_that_may_be_written(%p: !nv_tileaa.memref<?x?xf16>, %sizes: !nv_tileaa.ptr<i32>, %n: index, %x: tensor<8xf32>, %v: !nv_tileas.tiled_view<8xf32, gmem>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %g = %c0 to %n step %c1 {
    %at = nv_tileaa.addptr %sizes, %g : !nv_tileaa.ptr<i32>, index -> !nv_tileaa.ptr<i32>
    %size, %read = nv_tileas.load %at token %t : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
    %end = arith.index_cast %size : i32 to index
    scf.for %i = %c0 to %end step %c1 {
      %a, %ta = nv_tileas.tiled_load %view[%g, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
      "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
    }
  }
  nv_tileas.copy %x to %v {atom = #nv_tileas.atom<"stg">} : tensor<8xf32> to !nv_tileas.tiled_view<8xf32, gmem>
  nv_tileaa.return
}

// -----

// The store overwrites what the load reads, and says so by its token: though it does not read the tile,
// it waits until the load has filled the slot.
// CHECK-LABEL: @store_after_the_load
// CHECK: agent_switch
// CHECK: tiled_tma_load
// CHECK: }, {
// CHECK: scf.for
// CHECK-NOT: tiled_store
// CHECK: consumer_wait
// CHECK: tiled_store
// CHECK: "test.use"
nv_tileaa.func @store_after_the_load(%p: !nv_tileaa.memref<?x?xf16>, %n: index, %x: tensor<64x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %done = nv_tileas.tiled_store %x, %view[%c0, %i] token %ta : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, tileas.schedule.latency = 1 : i32} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
    %late = "test.late"(%i) {tileas.schedule.latency = 40 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (index) -> i32
    "test.use"(%a, %late) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>, i32) -> ()
  }
  nv_tileaa.return
}

// -----

// The barrier of a stage waits for the bytes of both loads: 64 x 64 x 2 and 64 x 32 x 2.
// CHECK-LABEL: @bytes_of_two_loads
// CHECK-COUNT-2: tiled_tma_load
// CHECK: producer_commit {{.*}} bytes 12288
nv_tileaa.func @bytes_of_two_loads(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %narrow = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x32xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %narrow[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 32]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x32xf16, gmem> -> tensor<64x32xf16>, !nv_tileaa.mem_token
    "test.use"(%a, %b) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>, tensor<64x32xf16>) -> ()
  }
  nv_tileaa.return
}
