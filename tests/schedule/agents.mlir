// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule --tileas-verify-pipelines %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule='use-dual-simt=false' %s | FileCheck %s --check-prefix=SINGLE

// The number of agents and their warps.

// Twelve warps, independent iterations, two operations per iteration and two stages
// (2 > 2 * 0.6): two compute agents alternate between the iterations, each with a ring. The load agent
// loads for the first and, if there is another iteration, for the second.
// CHECK-LABEL: @turns
// CHECK: %Pipe_0 = nv_tileas.async.pipeline.create_pipeline {{.*}}consumerGroupId = 1 : i8
// CHECK: %Pipe_1 = nv_tileas.async.pipeline.create_pipeline {{.*}}consumerGroupId = 2 : i8
// CHECK: agent_switch({{.*}}max_regs = array<i32: 40, 232, 232>, {{.*}}num_warps = array<i32: 4, 4, 4>, warp_id = array<i32: 0, 4, 8>
// CHECK: %[[TWO:.+]] = arith.addi %[[ONE:.+]], %[[ONE]] : index
// CHECK: scf.for %[[I:[a-z0-9]+]] = %[[FIRST:.+]] to %[[N:.+]] step %[[TWO]] iter_args
// CHECK: tiled_tma_load %{{.+}}[%{{.+}}, %[[I]]]
// CHECK: producer_commit %Pipe_0
// CHECK: %[[NEXT:.+]] = arith.addi %[[I]], %[[ONE]] : index
// CHECK: %[[MORE:.+]] = arith.cmpi slt, %[[NEXT]], %[[N]] : index
// CHECK: scf.if %[[MORE]] -> (!nv_tileas.iter<producer>, !nv_tileas.iter<producer>) {
// CHECK: tiled_tma_load %{{.+}}[%{{.+}}, %[[NEXT]]]
// CHECK: producer_commit %Pipe_1
// CHECK: } else {
// CHECK: }, {
// CHECK: scf.for %{{.+}} = %[[FIRST]] to %[[N]] step
// CHECK: consumer_wait %Pipe_0
// CHECK: tiled_store
// CHECK: }, {
// CHECK: %[[SECOND:.+]] = arith.addi %[[FIRST]], %[[ONE]] : index
// CHECK: scf.for %{{.+}} = %[[SECOND]] to %[[N]] step
// CHECK: consumer_wait %Pipe_1
// CHECK: tiled_store
// SINGLE-LABEL: @turns
// SINGLE: num_warps = array<i32: 4, 4>
nv_tileaa.func @turns(%p: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 12 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %twice = arith.addf %a, %a : tensor<64x64xf16>
    %done = nv_tileas.tiled_store %twice, %view[%c1, %i] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// -----

// Eight warps are enough for one compute agent only.
// CHECK-LABEL: @eight_warps
// CHECK: num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>
nv_tileaa.func @eight_warps(%p: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %twice = arith.addf %a, %a : tensor<64x64xf16>
    %done = nv_tileas.tiled_store %twice, %view[%c1, %i] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// -----

// The sum depends on the previous iteration: one compute agent, for any number of warps.
// CHECK-LABEL: @sum
// CHECK: num_warps = array<i32: 8, 8>, warp_id = array<i32: 0, 8>
nv_tileaa.func @sum(%p: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 16 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf16>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %s = arith.addf %acc, %a : tensor<64x64xf16>
    scf.yield %s : tensor<64x64xf16>
  }
  %done = nv_tileas.tiled_store %r, %view[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A cluster of two blocks starts its agents at multiples of eight warps: the four between form a hole,
// an agent without operations.
// CHECK-LABEL: @pair
// CHECK: agent_switch({{.*}}agent_strides = array<i32: 1, 4, 1>, holes = array<i1: false, true, false>, {{.*}}max_regs = array<i32: 40, 0, 232>, {{.*}}num_warps = array<i32: 4, 1, 4>, warp_id = array<i32: 0, 4, 8>
// CHECK: producer_commit
// CHECK: }, {
// CHECK-NEXT: nv_tileas.async.pipeline.yield
// CHECK-NEXT: }, {
// CHECK: consumer_wait
nv_tileaa.func @pair(%p: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 2, 1, 1>, numWarps = 12 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf16>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %s = arith.addf %acc, %a : tensor<64x64xf16>
    scf.yield %s : tensor<64x64xf16>
  }
  %done = nv_tileas.tiled_store %r, %view[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// The same with eight warps: too few for gaps.
// CHECK-LABEL: @small_pair
// CHECK: num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>
nv_tileaa.func @small_pair(%p: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 2, 1, 1>, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf16>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %s = arith.addf %acc, %a : tensor<64x64xf16>
    scf.yield %s : tensor<64x64xf16>
  }
  %done = nv_tileas.tiled_store %r, %view[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Four warps are too few for two agents: one agent prefetches its loads.
// CHECK-LABEL: @four_warps
// CHECK-NOT: agent_switch
// CHECK: produce_one_async
nv_tileaa.func @four_warps(%p: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 4 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %twice = arith.addf %a, %a : tensor<64x64xf16>
    %done = nv_tileas.tiled_store %twice, %view[%c1, %i] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
