// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule %s | FileCheck %s

// Where an agent enters and leaves: mutexes around loads that are issued together, regions that read two
// slots, operations that move into an agent.

// The first of two loads that share a pipe must not overtake the store of its iteration: both are issued
// between the wait for the mutex and its release.
// CHECK-LABEL: @mutex_around_two_loads
// CHECK: %[[MUTEX:.+]] = nv_tileas.async.pipeline.create_pipeline {{.*}}kind = "mutex"
// CHECK: agent_switch
// CHECK: %[[ENTERED:.+]] = nv_tileas.async.pipeline.consumer_wait %[[MUTEX]]
// CHECK: producer_acquire
// CHECK-COUNT-2: tiled_tma_load
// CHECK: producer_commit
// CHECK: consumer_release %[[MUTEX]], %[[ENTERED]]
// CHECK: }, {
// CHECK: %[[HELD:.+]] = nv_tileas.async.pipeline.producer_acquire %[[MUTEX]]
// CHECK: tiled_store
// CHECK: producer_commit %[[MUTEX]], %[[HELD]]
nv_tileaa.func @mutex_around_two_loads(%p: !nv_tileaa.memref<?x?xf16>, %q: !nv_tileaa.memref<?x?xf16>, %n: index, %x: tensor<64x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %other = nv_tileaa.block_tile %q : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %done = nv_tileas.tiled_store %x, %view[%c0, %i] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %done : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %other[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a, %b) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>, tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}

// -----

// The tile loaded by TMA is read by the first two operations, the other one by the last two: the slot of
// the first is kept until the second is released, as regions nest.
// CHECK-LABEL: @crossing_reads
// CHECK: }, {
// CHECK: consumer_read
// CHECK: "test.first"
// CHECK: consumer_read
// CHECK: "test.both"
// CHECK: "test.last"
// CHECK: consumer_release
// CHECK: }
// CHECK: consumer_release
nv_tileaa.func @crossing_reads(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %view[%i, %c0] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"ldg_128">, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %f = "test.first"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> i32
    %g = "test.both"(%a, %b, %f) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>, tensor<64x64xf16>, i32) -> i32
    "test.last"(%b, %g) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>, i32) -> ()
  }
  nv_tileaa.return
}

// -----

// A load before the region whose tile only the compute agent reads moves into it; one that a store before
// the region must follow does not.
// CHECK-LABEL: @sunk_load
// CHECK: nv_tileas.tiled_load %{{.*}}[%c0, %c0]
// CHECK: nv_tileas.tiled_store
// CHECK-NOT: nv_tileas.tiled_load
// CHECK: agent_switch
// CHECK: }, {
// CHECK: nv_tileas.tiled_load %{{.*}}[%c1, %c0]
nv_tileaa.func @sunk_load(%p: !nv_tileaa.memref<?x?xf16>, %n: index, %x: tensor<64x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %early, %te = nv_tileas.tiled_load %view[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
  %stored = nv_tileas.tiled_store %x, %view[%c0, %c0] token %te : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
  %free, %tf = nv_tileas.tiled_load %view[%c1, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a, %early, %free) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}

// -----

// The compute agent passes the coordinate of the second of two loads that share a pipe: it is taken
// before the stage of both is acquired.
// CHECK-LABEL: @coordinate_of_the_second_load
// CHECK: payload = [index]
// CHECK: agent_switch
// CHECK: scf.for
// CHECK: %[[READ:.+]]:2 = nv_tileas.async.pipeline.consumer_read
// CHECK: producer_acquire
// CHECK-COUNT-2: tiled_tma_load
// CHECK: producer_commit {{.*}} bytes 16384
nv_tileaa.func @coordinate_of_the_second_load(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %x = "test.position"() {tileas.schedule.latency = 20 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : () -> index
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %view[%i, %x] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a, %b) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>, tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}
