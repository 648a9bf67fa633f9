// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule='rotate=false' %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule='depth=5 rotate=false' %s | FileCheck %s --check-prefix=DEEP

// Coordinates are computed by the load agent; an addition that both agents use is executed by
// both. The consumer's copy keeps its position in the schedule.
// CHECK-LABEL: @coordinates
// CHECK: agent_switch
// CHECK: scf.for %[[I:.+]] = %{{.+}} iter_args
// CHECK: %[[NEXT:.+]] = arith.addi %[[I]], %{{.+}} : index
// CHECK: tiled_tma_load %{{.+}}[%{{.+}}, %[[NEXT]]]
// CHECK: }, {
// CHECK: scf.for %[[J:.+]] = %{{.+}} iter_args
// CHECK: %[[OWN:.+]] = arith.addi %[[J]], %{{.+}} : index
// CHECK: "test.both"(%{{.+}}, %[[OWN]])
// DEEP-LABEL: @coordinates
// DEEP: alloc_tensor in "smem" : !nv_tileas.tiled_view<5x64x64xf16, smem>
// DEEP: numStages = 5 : i32
nv_tileaa.func @coordinates(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %next = arith.addi %i, %c1 : index
    %a, %ta = nv_tileas.tiled_load %view[%c0, %next] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.both"(%a, %next) {tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>, index) -> ()
  }
  nv_tileaa.return
}

// -----

// A carried coordinate belongs to the producer, the carried sum to the consumer.
// CHECK-LABEL: @carried_coordinate
// CHECK: agent_switch
// CHECK: scf.for {{.*}} iter_args(%[[AT:.+]] = %{{.+}}, %{{.+}} = %{{.+}}) -> (index, !nv_tileas.iter<producer>)
// CHECK: %[[STEP:.+]] = arith.addi %[[AT]]
// CHECK: scf.yield %[[STEP]], %{{.+}} : index, !nv_tileas.iter<producer>
// CHECK: }, {
// CHECK: scf.for {{.*}} -> (tensor<64x64xf32>, !nv_tileas.iter<consumer>)
// CHECK-NOT: arith.addi
// CHECK: "test.result"
nv_tileaa.func @carried_coordinate(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0, %acc = %zero) -> (index, tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %at] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %step = arith.addi %at, %c1 : index
    scf.yield %step, %d : index, tensor<64x64xf32>
  }
  "test.result"(%r#1) : (tensor<64x64xf32>) -> ()
  nv_tileaa.return
}

// -----

// The store of one iteration must complete before the load of the next: a mutex makes the agents
// alternate. The producer enters first, as its load comes first in the iteration.
// CHECK-LABEL: @turns
// CHECK: %[[PIPE:.+]] = nv_tileas.async.pipeline.create_pipeline %
// CHECK: %[[MUTEX:.+]] = nv_tileas.async.pipeline.create_pipeline {barrier = 1 : i32, consumerGroupId = 1 : i8, kind = "mutex", numStages = 1 : i32, nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, producerGroupId = 0 : i8}
// CHECK: agent_switch
// CHECK: %[[IN:.+]] = nv_tileas.async.pipeline.producer_acquire %[[MUTEX]]
// CHECK: producer_acquire %[[PIPE]]
// CHECK: producer_commit %[[PIPE]]
// CHECK: producer_commit %[[MUTEX]], %[[IN]]
// CHECK: }, {
// CHECK: %[[TURN:.+]] = nv_tileas.async.pipeline.consumer_wait %[[MUTEX]]
// CHECK: consumer_wait %[[PIPE]]
// CHECK: nv_tileas.tiled_store
// CHECK: consumer_release %[[PIPE]]
// CHECK: consumer_release %[[MUTEX]], %[[TURN]]
// CHECK: scf.yield
nv_tileaa.func @turns(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %t) -> (!nv_tileaa.mem_token) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %before : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %done = nv_tileas.tiled_store %a, %view[%c0, %i] token %ta : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
    scf.yield %done : !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// -----

// Three loads: the first two are read together, the third alone. Both orders take the same number of
// stages and slots, so the program order is kept. Two readers of the third, with another operation
// between them, hold its slot until the last one has read.
// CHECK-LABEL: @three_loads
// CHECK-COUNT-2: create_pipeline %
// CHECK: }, {
// CHECK: consumer_read {{.*}} payload [tensor<64x64xf16>, tensor<64x64xf16>]
// CHECK: "test.pair"
// CHECK: consumer_release
// CHECK: consumer_read {{.*}} payload [tensor<64x64xf16>] {
// CHECK: "test.first"
// CHECK: "test.between"
// CHECK: "test.second"
// CHECK: consumer_release
nv_tileaa.func @three_loads(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %c, %tc = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.pair"(%a, %b) {tileas.schedule.latency = 2 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>, tensor<64x64xf16>) -> ()
    %x = "test.first"(%c) {tileas.schedule.latency = 2 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> i32
    %y = "test.between"(%x) {tileas.schedule.latency = 2 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (i32) -> i32
    "test.second"(%c, %y) {tileas.schedule.latency = 2 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>, i32) -> ()
  }
  nv_tileaa.return
}

// -----

// A tile that is carried to the next iteration leaves its slot: the read region yields it.
// CHECK-LABEL: @carried_tile
// CHECK: }, {
// CHECK: %[[FIRST:.+]] = arith.constant dense
// CHECK: scf.for {{.*}} iter_args(%[[OLD:.+]] = %[[FIRST]]
// CHECK: "test.old"(%[[OLD]])
// CHECK: %[[READ:.+]]:2 = nv_tileas.async.pipeline.consumer_read
// CHECK: ^bb0(%[[NEW:.+]]: tensor<64x64xf16>):
// CHECK-NEXT: nv_tileas.async.pipeline.yield %[[NEW]]
// CHECK: scf.yield %[[READ]]#1
nv_tileaa.func @carried_tile(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %first = arith.constant dense<0.0> : tensor<64x64xf16>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> (tensor<64x64xf16>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.old"(%old) {tileas.schedule.latency = 2 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
    scf.yield %a : tensor<64x64xf16>
  }
  nv_tileaa.return
}

// -----

// Sixteen warps: eight for each agent, with the corresponding register budgets.
// CHECK-LABEL: @sixteen_warps
// CHECK: agent_switch({{.*}}max_regs = array<i32: 40, 216>, {{.*}}num_warps = array<i32: 8, 8>, warp_id = array<i32: 0, 8>
nv_tileaa.func @sixteen_warps(%p: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 16 : i32}} {
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
