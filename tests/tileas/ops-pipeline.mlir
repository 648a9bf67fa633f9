// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// CHECK-LABEL: @pipelines
nv_tileaa.func @pipelines() {
  // CHECK: %[[PIPE:.*]] = nv_tileas.async.pipeline.create_pipeline {consumerGroupId = 1 : i8, numStages = 3 : i32, payload = [tensor<8xf16>], producerGroupId = 0 : i8}
  %pipe = nv_tileas.async.pipeline.create_pipeline {numStages = 3 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<8xf16>]}
  // CHECK: nv_tileas.async.pipeline.create_pipeline {barrier = 3 : i32, consumerGroupId = 0 : i8, kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8}
  %mutex = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", barrier = 3 : i32, numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 0 : i8}
  // CHECK: %[[IP:.*]] = nv_tileas.async.pipeline.create_iterator %[[PIPE]] as "producer" : !nv_tileas.iter<producer, tensor<8xf16>, 3, smem>
  %ip = nv_tileas.async.pipeline.create_iterator %pipe as "producer" : !nv_tileas.iter<producer, tensor<8xf16>, 3, smem>
  // CHECK: %[[IC:.*]] = nv_tileas.async.pipeline.create_iterator %[[PIPE]] as "consumer" : !nv_tileas.iter<consumer>
  %ic = nv_tileas.async.pipeline.create_iterator %pipe as "consumer" : !nv_tileas.iter<consumer>
  // CHECK: nv_tileas.async.pipeline.inc_iter %[[IC]] : !nv_tileas.iter<consumer>
  %next = nv_tileas.async.pipeline.inc_iter %ic : !nv_tileas.iter<consumer>
  // CHECK: nv_tileas.async.pipeline.create_null_token : !nv_tileas.producer_token
  %null = nv_tileas.async.pipeline.create_null_token : !nv_tileas.producer_token
  // CHECK: nv_tileas.async.pipeline.produce_one %[[PIPE]], %[[IP]] payload [tensor<8xf16>] : !nv_tileas.iter<producer, tensor<8xf16>, 3, smem> {
  %made = nv_tileas.async.pipeline.produce_one %pipe, %ip payload [tensor<8xf16>] : !nv_tileas.iter<producer, tensor<8xf16>, 3, smem> {
  ^bb0(%buffer: tensor<8xf16>):
    // CHECK: nv_tileas.async.pipeline.yield{{$}}
    nv_tileas.async.pipeline.yield
  }
  // CHECK: nv_tileas.async.pipeline.produce_one_async {{.*}} -> tensor<8xf16> attributes {note = 1 : i32} {
  %made2:3 = nv_tileas.async.pipeline.produce_one_async %pipe, %ip payload [tensor<8xf16>] : !nv_tileas.iter<producer, tensor<8xf16>, 3, smem> -> tensor<8xf16> attributes {note = 1 : i32} {
  ^bb0(%buffer: tensor<8xf16>):
    // CHECK: nv_tileas.async.pipeline.yield %{{.*}} : tensor<8xf16>
    nv_tileas.async.pipeline.yield %buffer : tensor<8xf16>
  }
  // CHECK: nv_tileas.async.pipeline.consume_one %[[PIPE]], %[[IC]] consumer 0 payload [tensor<8xf16>] : !nv_tileas.iter<consumer> -> tensor<8xf16> {
  %used:2 = nv_tileas.async.pipeline.consume_one %pipe, %ic consumer 0 payload [tensor<8xf16>] : !nv_tileas.iter<consumer> -> tensor<8xf16> {
  ^bb0(%value: tensor<8xf16>):
    nv_tileas.async.pipeline.yield %value : tensor<8xf16>
  }
  // CHECK: nv_tileas.async.pipeline.consume_one_async %[[PIPE]], %[[IC]] payload
  %used2:2 = nv_tileas.async.pipeline.consume_one_async %pipe, %ic payload [tensor<8xf16>] : !nv_tileas.iter<consumer> {
  ^bb0(%value: tensor<8xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// The payload of the iterator type is the payload.
// CHECK-LABEL: @unwrapped_argument
nv_tileaa.func @unwrapped_argument(%pipe: !nv_tileas.pipeline, %ip: !nv_tileas.iter<producer>) {
  %made = nv_tileas.async.pipeline.produce_one %pipe, %ip payload [tensor<8xf16>] : !nv_tileas.iter<producer> {
  // CHECK: ^bb0(%{{.*}}: !nv_tileas.iter<producer, tensor<8xf16>, 2>):
  ^bb0(%buffer: !nv_tileas.iter<producer, tensor<8xf16>, 2>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// Agents without a warp count inherit the common count of the others; holes are ignored.
// CHECK-LABEL: @agents
nv_tileaa.func @agents() attributes {nv_tileaa.kernel_spec = {numWarps = 9 : i32}} {
  // CHECK: nv_tileas.async.pipeline.agent_switch attributes {holes = array<i1: false, true, false>, num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 1, 0>} {
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 1, 0>, holes = array<i1: false, true, false>} {
    nv_tileas.async.pipeline.yield
  // CHECK: }, {
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// Tokens may be carried by loops: their origin is then unknown.
// CHECK-LABEL: @carried_tokens
nv_tileaa.func @carried_tokens(%pipe: !nv_tileas.pipeline, %token: !nv_tileas.consumer_token) {
  // CHECK: nv_tileas.async.pipeline.consumer_release
  nv_tileas.async.pipeline.consumer_release %pipe, %token
  %none = nv_tileas.create_none : !nv_tileas.consumer_token
  nv_tileas.async.pipeline.consumer_release %pipe, %none
  nv_tileaa.return
}
