// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule='rotate=false' --tileas-verify-pipelines %s | FileCheck %s

// Agents that are listed on the loop, and operations that are assigned to them.

// The product of an agent of its own: the sum is passed to the agent that stores it, once, after the
// loop, in a ring of one slot. The epilogue has no copy of the loop, and nobody keeps the assignment. Of the 512 registers
// that four warps have on a lane, 40 are for the load agent; the others have the maximum.
// CHECK-LABEL: @epilogue
// CHECK: %[[SUM:[A-Za-z0-9_]+]] = nv_tileas.async.pipeline.create_pipeline {{.*}}consumerGroupId = 2 : i8{{.*}}numStages = 1 : i32{{.*}}producerGroupId = 1 : i8
// CHECK: %[[TILES:[A-Za-z0-9_]+]] = nv_tileas.async.pipeline.create_pipeline {{.*}}consumerGroupId = 1 : i8{{.*}}producerGroupId = 0 : i8
// CHECK: agent_switch({{.*}}max_regs = array<i32: 40, 232, 232>, {{.*}}num_warps = array<i32: 4, 4, 4>, warp_id = array<i32: 0, 4, 8>
// CHECK: tiled_tma_load
// CHECK: producer_commit %[[TILES]]
// CHECK: }, {
// CHECK: scf.for
// CHECK-NOT: nv_tile.aws.agent
// CHECK: consumer_wait %[[TILES]]
// CHECK: nv_tileas.dot
// CHECK: }
// CHECK: producer_acquire %[[SUM]]
// CHECK: nv_tileas.copy
// CHECK: producer_commit %[[SUM]]
// CHECK: }, {
// CHECK-NOT: scf.for
// CHECK: consumer_wait %[[SUM]]
// CHECK: %[[READ:[a-z0-9]+]]:2 = nv_tileas.async.pipeline.consumer_read %[[SUM]]
// CHECK: consumer_release %[[SUM]]
// CHECK: tiled_store %[[READ]]#1
nv_tileaa.func @epilogue(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 12 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">, nv_tile.aws.agent = 1 : i32} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {nv_tile.aws.agents = [{role = "load"}, {role = "mma"}, {role = "epilogue"}]}
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 2 : i32} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// One tile for two agents: one ring with two consumers, of which each has an index. The registers are
// those listed.
// CHECK-LABEL: @shared_tile
// CHECK: %[[TILE:[A-Za-z0-9_]+]] = nv_tileas.async.pipeline.create_pipeline {{.*}}numConsumers = 2 : i32
// CHECK: %[[SUM:[A-Za-z0-9_]+]] = nv_tileas.async.pipeline.create_pipeline {{.*}}consumerGroupId = 1 : i8{{.*}}producerGroupId = 2 : i8
// CHECK: agent_switch({{.*}}max_regs = array<i32: 24, 160, 240>
// CHECK: producer_commit %[[TILE]]
// CHECK: }, {
// CHECK: consumer_wait %[[TILE]]{{.*}} consumer 0
// CHECK: consumer_wait %[[SUM]]
// CHECK: tiled_store
// CHECK: }, {
// CHECK: consumer_wait %[[TILE]]{{.*}} consumer 1
// CHECK: exp2
// CHECK: producer_commit %[[SUM]]
nv_tileaa.func @shared_tile(%p: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 12 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf32, gmem> -> tensor<64x64xf32>, !nv_tileaa.mem_token
    %s = "cuda_tile.exp2"(%a) {nv_tile.aws.agent = 2 : i32, tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 2, 8, 1>]} : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %sum = arith.addf %a, %s {nv_tile.aws.agent = 1 : i32} : tensor<64x64xf32>
    %done = nv_tileas.tiled_store %sum, %view[%c1, %i] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  } {nv_tile.aws.agents = [{role = "load", registers = 24 : i32, warps = 4 : i32}, {role = "simt", registers = 160 : i32}, {role = "simt", registers = 240 : i32}]}
  nv_tileaa.return
}

// -----

// Three agents of four warps do not fit in eight: one agent prefetches.
// CHECK-LABEL: @too_few
// CHECK-NOT: agent_switch
// CHECK: produce_one_async
// CHECK-NOT: nv_tile.aws.agent
// CHECK: tiled_store
// CHECK-NOT: nv_tile.aws.agent
// CHECK: return
nv_tileaa.func @too_few(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">, nv_tile.aws.agent = 1 : i32} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {nv_tile.aws.agents = [{role = "load"}, {role = "mma"}, {role = "epilogue"}]}
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 2 : i32} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Two stores that a token orders, in different agents: a mutex. The first agent signals after its store,
// the second waits before its own.
// CHECK-LABEL: @stores
// CHECK: %[[LOCK:Mutex[A-Za-z0-9_]*]] = nv_tileas.async.pipeline.create_pipeline {{.*}}consumerGroupId = 2 : i8{{.*}}producerGroupId = 1 : i8
// CHECK: }, {
// CHECK: producer_acquire %[[LOCK]]
// CHECK: tiled_store
// CHECK: producer_commit %[[LOCK]]
// CHECK: }, {
// CHECK: consumer_wait %[[LOCK]]
// CHECK: tiled_store
// CHECK: consumer_release %[[LOCK]]
nv_tileaa.func @stores(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 12 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %first = nv_tileas.tiled_store %a, %out[%c0, %i] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 1 : i32} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
    %second = nv_tileas.tiled_store %a, %out[%c0, %i] token %first : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 2 : i32} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
  } {nv_tile.aws.agents = [{role = "load"}, {role = "store"}, {role = "store"}]}
  nv_tileaa.return
}

// -----

// A tile of an asynchronous load is passed to an agent before the wait of the program: the copy into the slot
// waits for it, and so need not the other agent.
// CHECK-LABEL: @asynchronous_load
// CHECK: %[[PASSED:[A-Za-z0-9_]+]] = nv_tileas.async.pipeline.create_pipeline {{.*}}consumerGroupId = 2 : i8{{.*}}producerGroupId = 1 : i8
// CHECK: %[[TILE:[a-z0-9]+]]:2 = nv_tileas.async.tiled_load
// CHECK: nv_tileas.async.wait %[[TILE]]#1
// CHECK: producer_acquire %[[PASSED]]
// CHECK: nv_tileas.copy %[[TILE]]#0
nv_tileaa.func @asynchronous_load(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 12 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %b, %done = nv_tileas.async.tiled_load %view[%c1, %i] {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 1 : i32} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>
    nv_tileas.async.wait %done {nv_tile.aws.agent = 1 : i32}
    %sum = arith.addf %a, %b {nv_tile.aws.agent = 2 : i32} : tensor<64x64xf16>
    %stored = nv_tileas.tiled_store %sum, %out[%c0, %i] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 2 : i32} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
  } {nv_tile.aws.agents = [{role = "load"}, {role = "copy"}, {role = "store"}]}
  nv_tileaa.return
}
