// RUN: orison-opt --machine=page --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule='rotate=false' %s | FileCheck %s

// Distribution of the operations around scheduled loops to the agents of a region.

// Two loops in sequence: each agent executes its part of both, and each loop has a ring.
// CHECK-LABEL: @two_loops
// CHECK-COUNT-2: nv_tileas.async.pipeline.create_pipeline %
// CHECK: agent_switch
// CHECK: scf.for
// CHECK: producer_commit %Pipe_0
// CHECK: scf.for
// CHECK: producer_commit %Pipe_1
// CHECK: }, {
// CHECK: scf.for
// CHECK: consumer_release %Pipe_0
// CHECK: scf.for
// CHECK: consumer_release %Pipe_1
// CHECK-NOT: agent_switch
nv_tileaa.func @two_loops(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
  }
  scf.for %i = %c0 to %n step %c1 {
    %b, %tb = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%b) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}

// -----

// The loads of the second loop follow the first one's store: the load agent waits for a signal
// that the compute agent sends once, after the store.
// CHECK-LABEL: @store_between
// CHECK: %[[SIGNAL:.+]] = nv_tileas.async.pipeline.create_pipeline {barrier = 1 : i32, consumerGroupId = 0 : i8, kind = "mutex"{{.*}}producerGroupId = 1 : i8
// CHECK: agent_switch
// CHECK: scf.for
// CHECK: %[[WAITED:.+]] = nv_tileas.async.pipeline.consumer_wait %[[SIGNAL]]
// CHECK-NEXT: scf.for
// CHECK: producer_commit %Pipe_1
// CHECK: nv_tileas.async.pipeline.consumer_release %[[SIGNAL]], %[[WAITED]]
// CHECK: }, {
// CHECK: scf.for
// CHECK: %[[ENTERED:.+]] = nv_tileas.async.pipeline.producer_acquire %[[SIGNAL]]
// CHECK-NEXT: nv_tileas.tiled_store
// CHECK-NEXT: nv_tileas.async.pipeline.producer_commit %[[SIGNAL]], %[[ENTERED]]
// CHECK: scf.for
nv_tileaa.func @store_between(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf16>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %next = arith.addf %acc, %a : tensor<64x64xf16>
    scf.yield %next : tensor<64x64xf16>
  }
  %done = nv_tileas.tiled_store %sum, %view[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
  scf.for %i = %c0 to %n step %c1 {
    %b, %tb = nv_tileas.tiled_load %view[%c0, %i] token %done : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%b) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}

// -----

// A loop around the scheduled one: the rings are created outside, so both agents carry their iterators through
// both loops. The outer loop stores the result of the scheduled one.
// CHECK-LABEL: @nested
// CHECK: agent_switch
// CHECK: %[[OUT:.+]] = scf.for %[[J:.+]] = {{.*}} iter_args(%[[OUTER:.+]] = %producer) -> (!nv_tileas.iter<producer>) {
// CHECK-NEXT: %[[IN:.+]] = scf.for %[[I:.+]] = {{.*}} iter_args(%[[AT:.+]] = %[[OUTER]]) -> (!nv_tileas.iter<producer>) {
// CHECK: tiled_tma_load %{{.+}}[%[[J]], %[[I]]]
// CHECK: %[[STEPPED:.+]] = nv_tileas.async.pipeline.inc_iter %[[AT]]
// CHECK-NEXT: scf.yield %[[STEPPED]]
// CHECK: scf.yield %[[IN]]
// CHECK: }, {
// CHECK: scf.for %{{.+}} = {{.*}} iter_args(%{{.+}} = %consumer)
// CHECK: scf.for
// CHECK: arith.addf
// CHECK: tiled_store
// CHECK: scf.yield
nv_tileaa.func @nested(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  scf.for %j = %c0 to %n step %c1 {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf16>) {
      %a, %ta = nv_tileas.tiled_load %view[%j, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
      %next = arith.addf %acc, %a : tensor<64x64xf16>
      scf.yield %next : tensor<64x64xf16>
    }
    %done = nv_tileas.tiled_store %sum, %view[%j, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// -----

// A branch around the scheduled loop, on a condition that both agents compute. The other arm
// yields the unchanged iterator.
// CHECK-LABEL: @branch
// CHECK: agent_switch
// CHECK: %[[MORE:.+]] = arith.cmpi
// CHECK: scf.if %[[MORE]] -> (!nv_tileas.iter<producer>) {
// CHECK: scf.for
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[SAME:.+]] : !nv_tileas.iter<producer>
// CHECK: }, {
// CHECK: arith.cmpi
// CHECK: scf.if %{{.+}} -> (!nv_tileas.iter<consumer>) {
// CHECK: "test.use"
// CHECK: } else {
nv_tileaa.func @branch(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %j = %c0 to %n step %c1 {
    %more = arith.cmpi slt, %j, %n : index
    scf.if %more {
      scf.for %i = %c0 to %n step %c1 {
        %a, %ta = nv_tileas.tiled_load %view[%j, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
        "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
      }
    }
  }
  nv_tileaa.return
}

// -----

// Loop-invariant operations are computed before the agents, including the descriptor.
// CHECK-LABEL: @view_inside
// CHECK: %[[VIEW:.+]] = nv_tileaa.block_tile
// CHECK: make_tiled_tma_desc %[[VIEW]]
// CHECK: agent_switch
// CHECK-NOT: block_tile
nv_tileaa.func @view_inside(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  scf.for %i = %c0 to %n step %c1 {
    %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}

// -----

// A view that differs between iterations of the outer loop: the host cannot create a descriptor for
// it, so the load agent computes the view, loads into registers and copies.
// CHECK-LABEL: @view_of_a_group
// CHECK-NOT: make_tiled_tma_desc
// CHECK: agent_switch
// CHECK: scf.for %[[G:[a-z0-9]+]] =
// CHECK: %[[BASE:.+]] = nv_tileaa.addptr %{{.+}}, %[[G]]
// CHECK: %[[GROUP:.+]] = nv_tileaa.make_memref %[[BASE]]
// CHECK: %[[VIEW:.+]] = nv_tileaa.block_tile %[[GROUP]]
// CHECK: scf.for
// CHECK: producer_write
// CHECK: %[[TILE:.+]] = nv_tileas.tiled_load %[[VIEW]]
// CHECK-NEXT: nv_tileas.copy %[[TILE]]
// CHECK: }, {
// CHECK-NOT: addptr
nv_tileaa.func @view_of_a_group(%p: !nv_tileaa.ptr<f16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  scf.for %g = %c0 to %n step %c1 {
    %base = nv_tileaa.addptr %p, %g : !nv_tileaa.ptr<f16>, index -> !nv_tileaa.ptr<f16>
    %memory = nv_tileaa.make_memref %base sizes [%n, %n] : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?x?xf16>
    %view = nv_tileaa.block_tile %memory : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
    scf.for %i = %c0 to %n step %c1 {
      %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
      "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
    }
  }
  nv_tileaa.return
}

// -----

// A coordinate from an operation with unknown effects: the compute agent executes it and passes the
// result through a separate pipe of 8 bytes per slot, whose groups are reversed.
// CHECK-LABEL: @impure_coordinate
// CHECK: %[[RING:.+]] = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x8xi8, smem>
// CHECK: %[[BACK:.+]] = nv_tileas.async.pipeline.create_pipeline %[[RING]]{{.*}}consumerGroupId = 0 : i8{{.*}}payload = [index], producerGroupId = 1 : i8
// CHECK: agent_switch
// CHECK: %[[READY:.+]] = nv_tileas.async.pipeline.consumer_wait %[[BACK]]
// CHECK: %[[READ:.+]]:2 = nv_tileas.async.pipeline.consumer_read %[[BACK]], %[[READY]]
// CHECK: consumer_release %[[BACK]]
// CHECK: producer_acquire
// CHECK: tiled_tma_load %{{.+}}[%{{.+}}, %[[READ]]#1]
// CHECK: }, {
// CHECK: %[[X:.+]] = "test.position"
// CHECK: producer_acquire %[[BACK]]
// CHECK: ^bb0(%[[SLOT:.+]]: index):
// CHECK: nv_tileas.copy %[[X]] to %[[SLOT]]
// CHECK: producer_commit %[[BACK]]
// CHECK: consumer_wait
nv_tileaa.func @impure_coordinate(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %x = "test.position"() {tileas.schedule.resources = [array<i32: 7, 1, 1>]} : () -> index
    %a, %ta = nv_tileas.tiled_load %view[%c0, %x] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}

// -----

// The second load must follow a store that is in the read region of the first: the signal is sent
// inside the region, so there is no deadlock. The two loads have one reader, but they cannot share
// a pipe, as the store comes between them.
// CHECK-LABEL: @store_in_region
// CHECK-COUNT-2: nv_tileas.async.pipeline.create_pipeline %
// CHECK: %[[SIGNAL:.+]] = nv_tileas.async.pipeline.create_pipeline {barrier = 1 : i32, {{.*}}kind = "mutex"
// CHECK: producer_commit %Pipe_0
// CHECK: consumer_wait %[[SIGNAL]]
// CHECK: producer_acquire %Pipe_1
// CHECK: }, {
// CHECK: producer_acquire %[[SIGNAL]]
// CHECK: consumer_read %Pipe_0
// CHECK: tiled_store
// CHECK-NEXT: nv_tileas.async.pipeline.producer_commit %[[SIGNAL]]
// CHECK-NEXT: %{{.+}} = nv_tileas.async.pipeline.consumer_wait %Pipe_1
// CHECK: "test.use"
nv_tileaa.func @store_in_region(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %done = nv_tileas.tiled_store %a, %view[%c0, %i] token %ta : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %view[%c0, %i] token %done : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a, %b) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>, tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}

// -----

// Loads without TMA are assigned to the load agent as well: it loads into registers and copies into the
// slot. They have a separate pipe, since the two are filled by different instructions, and its barrier
// has no asynchronous arrivals: the commit counts no bytes.
// CHECK-LABEL: @plain_load
// CHECK-COUNT-2: create_pipeline %
// CHECK: agent_switch
// CHECK: tiled_tma_load
// CHECK: producer_commit %Pipe_0, %{{.+}} bytes 8192
// CHECK: producer_write %Pipe_1
// CHECK-NEXT: ^bb0(%[[SLOT:.+]]: tensor<64x64xf16>):
// CHECK-NEXT: %[[TILE:.+]] = nv_tileas.tiled_load %{{.+}}[%{{.+}}, %{{.+}}] {in_bounds
// CHECK-NEXT: nv_tileas.copy %[[TILE]] to %[[SLOT]] {atom = #nv_tileas.atom<"sts">}
// CHECK: producer_commit %Pipe_1, %{{[0-9a-z_]+$}}
// CHECK: }, {
// CHECK-COUNT-2: consumer_read
nv_tileaa.func @plain_load(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %view[%i, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a, %b) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>, tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}

// -----

// A load that orders memory stays in the compute agent, and the load after it waits for it.
// CHECK-LABEL: @acquire
// CHECK: %[[SIGNAL:.+]] = nv_tileas.async.pipeline.create_pipeline {{.*}}kind = "mutex"
// CHECK: agent_switch
// CHECK: consumer_wait %[[SIGNAL]]
// CHECK: tiled_tma_load
// CHECK: }, {
// CHECK: producer_acquire %[[SIGNAL]]
// CHECK-NEXT: %[[FLAG:.+]]:2 = nv_tileas.tiled_load {{.*}}mem_semantic = "acquire"
// CHECK-NEXT: nv_tileas.async.pipeline.producer_commit %[[SIGNAL]]
nv_tileaa.func @acquire(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %flag, %tflag = nv_tileas.tiled_load %view[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, mem_semantic = "acquire", mem_scope = "gpu"} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a, %flag) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>, tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}

// -----

// The bound of the loop is read from memory that is never written: each agent reads it.
// CHECK-LABEL: @bound_from_memory
// CHECK: agent_switch
// CHECK: %[[HERE:.+]]:2 = nv_tileas.load
// CHECK: %[[END:.+]] = arith.index_cast %[[HERE]]#0
// CHECK: scf.for %{{.+}} = %{{.+}} to %[[END]]
// CHECK: }, {
// CHECK: %[[THERE:.+]]:2 = nv_tileas.load
// CHECK: %[[LAST:.+]] = arith.index_cast %[[THERE]]#0
// CHECK: scf.for %{{.+}} = %{{.+}} to %[[LAST]]
nv_tileaa.func @bound_from_memory(%p: !nv_tileaa.memref<?x?xf16>, %sizes: !nv_tileaa.ptr<i32>, %n: index) {
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
  nv_tileaa.return
}

// -----

// A tile that the loop carries but does not define: its reader has no producer. A pipe marks it;
// the pipe has the scalar flavour, no storage, and no waits.
// CHECK-LABEL: @no_producer
// CHECK: create_pipeline {{.*}}numStages = 1 : i32{{.*}}payload = [tensor<64x64xf16>]{{.*}}tileas.schedule.trivial
// CHECK: agent_switch
// CHECK: "test.use"
nv_tileaa.func @no_producer(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %first = arith.constant dense<0.0> : tensor<64x64xf16>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%same = %first) -> (tensor<64x64xf16>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a, %same) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>, tensor<64x64xf16>) -> ()
    scf.yield %same : tensor<64x64xf16>
  }
  nv_tileaa.return
}

// -----

// A coordinate that the compute agent carries: it is passed at the start of each iteration.
// CHECK-LABEL: @impure_carried_coordinate
// CHECK: agent_switch
// CHECK: scf.for
// CHECK: %[[READ:.+]]:2 = nv_tileas.async.pipeline.consumer_read {{.*}} payload [index] -> index
// CHECK: tiled_tma_load %{{.+}}[%{{.+}}, %[[READ]]#1]
// CHECK: }, {
// CHECK: scf.for {{.*}} iter_args(%[[AT:[a-z0-9]+]] = %{{[^,]+}}, %
// CHECK-NEXT: producer_acquire
// CHECK: nv_tileas.copy %[[AT]] to
// CHECK: "test.next"(%[[AT]])
nv_tileaa.func @impure_carried_coordinate(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> (index) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %at] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %next = "test.next"(%at) {tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (index) -> index
    "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
    scf.yield %next : index
  }
  nv_tileaa.return
}

// -----

// An asynchronous product reads the slot until it has been waited for: the slot is held that long.
// CHECK-LABEL: @asynchronous_reader
// CHECK: }, {
// CHECK: consumer_read
// CHECK: %[[D:.+]]:2 = nv_tileas.async.dot
// CHECK: nv_tileas.async.wait %[[D]]#1
// CHECK: pipeline.yield %[[D]]#0
// CHECK: consumer_release
nv_tileaa.func @asynchronous_reader(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %d, %done = nv_tileas.async.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    nv_tileas.async.wait %done
    scf.yield %d : tensor<64x64xf32>
  }
  "test.result"(%r) : (tensor<64x64xf32>) -> ()
  nv_tileaa.return
}

// -----

// A tile from before the region that only a branch yields moves into the agent that keeps the result.
// CHECK-LABEL: @yielded_tile
// CHECK: agent_switch
// CHECK: }, {
// CHECK: %[[ONE:.+]] = arith.constant dense<1.000000e+00>
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[ONE]]
nv_tileaa.func @yielded_tile(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  %one = arith.constant dense<1.0> : tensor<64x64xf16>
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %some = arith.cmpi ult, %c0, %n : index
  %r = scf.if %some -> (tensor<64x64xf16>) {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf16>) {
      %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
      %s = arith.addf %a, %acc : tensor<64x64xf16>
      scf.yield %s : tensor<64x64xf16>
    }
    scf.yield %sum : tensor<64x64xf16>
  } else {
    scf.yield %one : tensor<64x64xf16>
  }
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
