// RUN: orison-opt --split-input-file --verify-diagnostics %s

nv_tileaa.func @no_stage() {
  // expected-error @+1 {{expects numStages to be at least 1, but got 0}}
  %0 = nv_tileas.async.pipeline.create_pipeline {numStages = 0 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  nv_tileaa.return
}

// -----

nv_tileaa.func @same_groups() {
  // expected-error @+1 {{expects different producer and consumer groups}}
  %0 = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 1 : i8, consumerGroupId = 1 : i8}
  nv_tileaa.return
}

// -----

nv_tileaa.func @no_consumers() {
  // expected-error @+1 {{expects numConsumers to be at least 1}}
  %0 = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, numConsumers = 0 : i32}
  nv_tileaa.return
}

// -----

nv_tileaa.func @depth(%ring: !nv_tileas.tiled_view<2x8xf16, smem>) {
  // expected-error @+1 {{Pipe_ depth exceeds allocated slots}}
  %0 = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x8xf16, smem> {numStages = 3 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  nv_tileaa.return
}

// -----

nv_tileaa.func @mutex_depth() {
  // expected-error @+1 {{expects one stage in a mutex, but got 2}}
  %0 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  nv_tileaa.return
}

// -----

nv_tileaa.func @mutex_barrier() {
  // expected-error @+1 {{Mutex_ barrier index out of range}}
  %0 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", barrier = 32 : i32, numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  nv_tileaa.return
}

// -----

nv_tileaa.func @mutex_payload() {
  // expected-error @+1 {{expects neither payload nor storage in a mutex}}
  %0 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", payload = [f32], numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  nv_tileaa.return
}

// -----

nv_tileaa.func @pipe_barrier() {
  // expected-error @+1 {{expects a barrier only on a mutex}}
  %0 = nv_tileas.async.pipeline.create_pipeline {barrier = 1 : i32, numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  nv_tileaa.return
}

// -----

nv_tileaa.func @kind() {
  // expected-error @+1 {{expects kind to be 'pipe' or 'mutex', but got 'queue'}}
  %0 = nv_tileas.async.pipeline.create_pipeline {kind = "queue", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  nv_tileaa.return
}

// -----

nv_tileaa.func @role(%p: !nv_tileas.pipeline) {
  // expected-error @+1 {{expects an iterator type of role 'consumer'}}
  %0 = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<producer>
  nv_tileaa.return
}

// -----

nv_tileaa.func @count() {
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  // expected-error @+1 {{expects an iterator over 2 stages, but got 3}}
  %0 = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer, f16, 3>
  nv_tileaa.return
}

// -----

nv_tileaa.func @aliased(%c: i1, %p: !nv_tileas.pipeline, %q: !nv_tileas.pipeline) {
  %m = arith.select %c, %p, %q : !nv_tileas.pipeline
  // expected-error @+1 {{expects a pipeline that is not merged by control flow as first operand}}
  %0 = nv_tileas.async.pipeline.create_iterator %m as "consumer" : !nv_tileas.iter<consumer>
  nv_tileaa.return
}

// -----

nv_tileaa.func @side(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<consumer>) {
  // expected-error @+1 {{operand #1 must be producer-side pipeline iterator, but got '!nv_tileas.iter<consumer>'}}
  %0 = nv_tileas.async.pipeline.producer_acquire %p, %i : !nv_tileas.iter<consumer>
  nv_tileaa.return
}

// -----

nv_tileaa.func @commit_source(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<producer>) {
  %0 = nv_tileas.async.pipeline.produce_one %p, %i payload [] : !nv_tileas.iter<producer> {
    nv_tileas.async.pipeline.yield
  }
  // expected-error @+1 {{expects a token from producer_acquire or producer_write}}
  nv_tileas.async.pipeline.producer_commit %p, %0
  nv_tileaa.return
}

// -----

nv_tileaa.func @commit_bytes(%p: !nv_tileas.pipeline, %t: !nv_tileas.producer_token) {
  // expected-error @+1 {{expects transaction_bytes to be non-negative}}
  nv_tileas.async.pipeline.producer_commit %p, %t bytes -1
  nv_tileaa.return
}

// -----

nv_tileaa.func @other_pipeline(%p: !nv_tileas.pipeline, %q: !nv_tileas.pipeline, %i: !nv_tileas.iter<producer>) {
  %0 = nv_tileas.async.pipeline.producer_acquire %p, %i : !nv_tileas.iter<producer>
  // expected-error @+1 {{expects a token of the same pipeline}}
  nv_tileas.async.pipeline.producer_commit %q, %0
  nv_tileaa.return
}

// -----

nv_tileaa.func @write_source(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<producer>) {
  %0 = nv_tileas.async.pipeline.produce_one %p, %i payload [] : !nv_tileas.iter<producer> {
    nv_tileas.async.pipeline.yield
  }
  // expected-error @+1 {{expects a token from producer_acquire}}
  %1 = nv_tileas.async.pipeline.producer_write %p, %0 payload [] {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @read_source(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<consumer>) {
  %0 = nv_tileas.async.pipeline.consume_one %p, %i payload [] : !nv_tileas.iter<consumer> {
    nv_tileas.async.pipeline.yield
  }
  // expected-error @+1 {{expects a token from consumer_wait}}
  %1 = nv_tileas.async.pipeline.consumer_read %p, %0 payload [] {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @release_source(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<consumer>) {
  %0 = nv_tileas.async.pipeline.consume_one %p, %i payload [] : !nv_tileas.iter<consumer> {
    nv_tileas.async.pipeline.yield
  }
  // expected-error @+1 {{expects a token from consumer_wait or consumer_read}}
  nv_tileas.async.pipeline.consumer_release %p, %0
  nv_tileaa.return
}

// -----

nv_tileaa.func @negative_consumer(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<consumer>) {
  // expected-error @+1 {{consumer_idx out of range for consumer group}}
  %0 = nv_tileas.async.pipeline.consumer_wait %p, %i consumer -1 : !nv_tileas.iter<consumer>
  nv_tileaa.return
}

// -----

nv_tileaa.func @consumer_of_pipeline(%i: !nv_tileas.iter<consumer>) {
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, numConsumers = 2 : i32}
  %0 = nv_tileas.async.pipeline.consumer_wait %p, %i consumer 1 : !nv_tileas.iter<consumer>
  // expected-error @+1 {{consumer_idx out of range for consumer group}}
  %1 = nv_tileas.async.pipeline.consumer_read %p, %0 consumer 2 payload [] {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @consumer_of_agents(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<consumer>) {
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32} {
    // expected-error @+1 {{consumer_idx out of range for consumer group}}
    %0 = nv_tileas.async.pipeline.consumer_wait %p, %i consumer 1 : !nv_tileas.iter<consumer>
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @arguments(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<producer>) {
  // expected-error @+1 {{expects region arguement types to match with producer types [f32, f16], but got: [f32]}}
  %0 = nv_tileas.async.pipeline.produce_one %p, %i payload [f32, f16] : !nv_tileas.iter<producer> {
  ^bb0(%x: f32):
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

// Only arguments are unwrapped, the payload list is not.
nv_tileaa.func @wrapped_payload(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<consumer>) {
  // expected-error @+1 {{expects region arguement types to match with producer types [!nv_tileas.iter<consumer, f16>], but got: [f16]}}
  %0 = nv_tileas.async.pipeline.consume_one %p, %i payload [!nv_tileas.iter<consumer, f16>] : !nv_tileas.iter<consumer> {
  ^bb0(%x: !nv_tileas.iter<consumer, f16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @results(%p: !nv_tileas.pipeline, %t: !nv_tileas.consumer_token) {
  // expected-error @+1 {{expects region result types to be match with operation result types [f32], but got: [f16]}}
  %0:2 = nv_tileas.async.pipeline.consumer_read %p, %t payload [f16] -> f32 {
  ^bb0(%x: f16):
    nv_tileas.async.pipeline.yield %x : f16
  }
  nv_tileaa.return
}

// -----

// The async token at the end is not a value of the region.
nv_tileaa.func @async_results(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<consumer>) {
  // expected-error @+1 {{expects region result types to be match with operation result types [], but got: [f16]}}
  %0:2 = nv_tileas.async.pipeline.consume_one_async %p, %i payload [f16] : !nv_tileas.iter<consumer> {
  ^bb0(%x: f16):
    nv_tileas.async.pipeline.yield %x : f16
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @payload_of_pipeline(%i: !nv_tileas.iter<producer>) {
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [f32]}
  // expected-error @+1 {{expects the payload types of the pipeline [f32], but got: [f16]}}
  %0 = nv_tileas.async.pipeline.produce_one %p, %i payload [f16] : !nv_tileas.iter<producer> {
  ^bb0(%x: f16):
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @no_agents() {
  // expected-error @+1 {{expects at least one agent}}
  "nv_tileas.async.pipeline.agent_switch"() <{num_agents_per_group = 1 : i32}> : () -> ()
  nv_tileaa.return
}

// -----

nv_tileaa.func @agents_per_group() {
  // expected-error @+1 {{expects num_agents_per_group to be at least 1, but got 0}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 0 : i32} {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @list_length() {
  // expected-error @+1 {{expects 'max_regs' to have one entry for each of 1 agents}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, max_regs = array<i32: 40, 232>} {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @registers() {
  // expected-error @+1 {{expects max_regs from 0 to 256, but got 264}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, max_regs = array<i32: 264>} {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @disagree() {
  // expected-error @+1 {{agent regions disagree on warp count}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 8>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

// The second agent inherits 4 warps.
nv_tileaa.func @budget() attributes {nv_tileaa.kernel_spec = {numWarps = 7 : i32}} {
  // expected-error @+1 {{agent warp count exceeds module budget}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 0>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @negative_warps() {
  // expected-error @+1 {{expects num_warps to be non-negative}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: -4>} {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @agent_yields(%x: f32) {
  // expected-error @+1 {{expects agent regions to yield nothing}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32} {
    nv_tileas.async.pipeline.yield %x : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @agent_arguments() {
  // expected-error @+1 {{expects agent regions without arguments}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32} {
  ^bb0(%x: f32):
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @isolated(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<consumer>) {
  // expected-error @+1 {{expects isolated agents to use captured values only}}
  nv_tileas.async.pipeline.agent_switch(%p : !nv_tileas.pipeline) attributes {isolated = true, num_agents_per_group = 1 : i32} {
    %0 = nv_tileas.async.pipeline.consumer_wait %p, %i : !nv_tileas.iter<consumer>
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @stray_yield() {
  // expected-error @+1 {{expects parent op to be one of}}
  nv_tileas.async.pipeline.yield
}
