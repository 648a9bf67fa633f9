// RUN: orison-opt --split-input-file --tileas-generate-schedule --tileas-materialize-schedule='rotate=false' --tileas-verify-pipelines %s | FileCheck %s

// What is computed by an agent that the kernel names is not repeated by another one, cheap as it may be:
// it is passed.
// CHECK-LABEL: @elsewhere
// CHECK-DAG: create_pipeline {{.*}}consumerGroupId = 2 : i8{{.*}}producerGroupId = 0 : i8
// CHECK-DAG: create_pipeline {{.*}}consumerGroupId = 2 : i8{{.*}}producerGroupId = 1 : i8
// CHECK: agent_switch
// CHECK-COUNT-1: math.exp2
// CHECK-NOT: math.exp2
nv_tileaa.func @elsewhere(%p: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 12 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %k = math.exp2 %one {nv_tile.aws.agent = 1 : i32} : tensor<64x64xf32>
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf32, gmem> -> tensor<64x64xf32>, !nv_tileaa.mem_token
    %z = arith.addf %a, %k {nv_tile.aws.agent = 2 : i32} : tensor<64x64xf32>
    %done = nv_tileas.tiled_store %z, %view[%c1, %i] token %t : !nv_tileaa.mem_token {nv_tile.aws.agent = 2 : i32, in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  } {nv_tile.aws.agents = [{role = "load"}, {role = "simt"}, {role = "simt"}]}
  nv_tileaa.return
}

// -----

// The store of agent 1 waits for that of agent 2 in every iteration.
// CHECK-LABEL: @effects_in_order
// CHECK: create_pipeline {{.*}}consumerGroupId = 1 : i8, kind = "mutex"{{.*}}producerGroupId = 2 : i8
// CHECK: agent_switch
// CHECK: consumer_wait %Mutex_0
// CHECK: tiled_store
// CHECK: }, {
// CHECK: producer_acquire %Mutex_0
// CHECK: tiled_store
// CHECK: producer_commit %Mutex_0
nv_tileaa.func @effects_in_order(%p: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 12 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf32, gmem> -> tensor<64x64xf32>, !nv_tileaa.mem_token
    %d1 = nv_tileas.tiled_store %a, %view[%c1, %i] token %t : !nv_tileaa.mem_token {nv_tile.aws.agent = 2 : i32, in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
    %d2 = nv_tileas.tiled_store %a, %view[%c1, %i] token %d1 : !nv_tileaa.mem_token {nv_tile.aws.agent = 1 : i32, in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  } {nv_tile.aws.agents = [{role = "load"}, {role = "simt"}, {role = "simt"}]}
  nv_tileaa.return
}

// -----

// Agent 2 reads both values of agent 1 in the sum, and the first one before the second is computed, which
// needs what agent 2 has made of the first: in one pipeline neither would be passed.
// CHECK-LABEL: @read_before_the_other_is_computed
// CHECK-COUNT-2: create_pipeline {{.*}}consumerGroupId = 2 : i8, {{.*}}producerGroupId = 1 : i8
// CHECK-NOT: consumerGroupId = 2 : i8, {{.*}}producerGroupId = 1 : i8
// CHECK: agent_switch
nv_tileaa.func @read_before_the_other_is_computed(%p: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 12 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf32, gmem> -> tensor<64x64xf32>, !nv_tileaa.mem_token
    %first = math.exp2 %a {nv_tile.aws.agent = 1 : i32} : tensor<64x64xf32>
    %between = math.exp2 %first {nv_tile.aws.agent = 2 : i32} : tensor<64x64xf32>
    %second = math.exp2 %between {nv_tile.aws.agent = 1 : i32} : tensor<64x64xf32>
    %z = arith.addf %first, %second {nv_tile.aws.agent = 2 : i32} : tensor<64x64xf32>
    %done = nv_tileas.tiled_store %z, %view[%c1, %i] token %t : !nv_tileaa.mem_token {nv_tile.aws.agent = 2 : i32, in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  } {nv_tile.aws.agents = [{role = "load"}, {role = "simt"}, {role = "simt"}]}
  nv_tileaa.return
}
