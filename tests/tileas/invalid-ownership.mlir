// RUN: orison-opt --split-input-file --verify-diagnostics %s

// Ownership of stages: tokens of the other side, of another pipeline, of another operation. Cases
// without an expected error are the ones next to them that are allowed.

nv_tileaa.func @write_with_a_consumer_token(%p: !nv_tileas.pipeline, %t: !nv_tileas.consumer_token) {
  // expected-error @+1 {{operand #1 must be producer token, but got '!nv_tileas.consumer_token'}}
  %0 = "nv_tileas.async.pipeline.producer_write"(%p, %t) <{producer_types = []}> ({
    nv_tileas.async.pipeline.yield
  }) : (!nv_tileas.pipeline, !nv_tileas.consumer_token) -> !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @commit_with_a_consumer_token(%p: !nv_tileas.pipeline, %t: !nv_tileas.consumer_token) {
  // expected-error @+1 {{operand #1 must be producer token, but got '!nv_tileas.consumer_token'}}
  "nv_tileas.async.pipeline.producer_commit"(%p, %t) : (!nv_tileas.pipeline, !nv_tileas.consumer_token) -> ()
  nv_tileaa.return
}

// -----

nv_tileaa.func @read_with_a_producer_token(%p: !nv_tileas.pipeline, %t: !nv_tileas.producer_token) {
  // expected-error @+1 {{operand #1 must be consumer token, but got '!nv_tileas.producer_token'}}
  %0 = "nv_tileas.async.pipeline.consumer_read"(%p, %t) <{producer_types = []}> ({
    nv_tileas.async.pipeline.yield
  }) : (!nv_tileas.pipeline, !nv_tileas.producer_token) -> !nv_tileas.consumer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @release_with_a_producer_token(%p: !nv_tileas.pipeline, %t: !nv_tileas.producer_token) {
  // expected-error @+1 {{operand #1 must be consumer token, but got '!nv_tileas.producer_token'}}
  "nv_tileas.async.pipeline.consumer_release"(%p, %t) : (!nv_tileas.pipeline, !nv_tileas.producer_token) -> ()
  nv_tileaa.return
}

// -----

nv_tileaa.func @wait_with_a_producer_iterator(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<producer>) {
  // expected-error @+1 {{operand #1 must be consumer-side pipeline iterator, but got '!nv_tileas.iter<producer>'}}
  %0 = nv_tileas.async.pipeline.consumer_wait %p, %i : !nv_tileas.iter<producer>
  nv_tileaa.return
}

// -----

nv_tileaa.func @produce_with_a_consumer_iterator(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<consumer>) {
  // expected-error @+1 {{operand #1 must be producer-side pipeline iterator, but got '!nv_tileas.iter<consumer>'}}
  %0 = nv_tileas.async.pipeline.produce_one %p, %i payload [] : !nv_tileas.iter<consumer> {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @consume_with_a_producer_iterator(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<producer>) {
  // expected-error @+1 {{operand #1 must be consumer-side pipeline iterator, but got '!nv_tileas.iter<producer>'}}
  %0:2 = nv_tileas.async.pipeline.consume_one_async %p, %i payload [] : !nv_tileas.iter<producer> {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @acquire_on_a_token(%t: !nv_tileas.producer_token, %i: !nv_tileas.iter<producer>) {
  // expected-error @+1 {{operand #0 must be pipeline, but got '!nv_tileas.producer_token'}}
  %0 = "nv_tileas.async.pipeline.producer_acquire"(%t, %i) : (!nv_tileas.producer_token, !nv_tileas.iter<producer>) -> !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @acquire_makes_a_producer_token(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<producer>) {
  // expected-error @+1 {{result #0 must be producer token, but got '!nv_tileas.consumer_token'}}
  %0 = "nv_tileas.async.pipeline.producer_acquire"(%p, %i) : (!nv_tileas.pipeline, !nv_tileas.iter<producer>) -> !nv_tileas.consumer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @write_of_another_pipeline(%p: !nv_tileas.pipeline, %q: !nv_tileas.pipeline, %i: !nv_tileas.iter<producer>) {
  %0 = nv_tileas.async.pipeline.producer_acquire %p, %i : !nv_tileas.iter<producer>
  // expected-error @+1 {{'nv_tileas.async.pipeline.producer_write' op expects a token of the same pipeline}}
  %1 = nv_tileas.async.pipeline.producer_write %q, %0 payload [] {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @read_of_another_pipeline(%p: !nv_tileas.pipeline, %q: !nv_tileas.pipeline, %i: !nv_tileas.iter<consumer>) {
  %0 = nv_tileas.async.pipeline.consumer_wait %p, %i : !nv_tileas.iter<consumer>
  // expected-error @+1 {{'nv_tileas.async.pipeline.consumer_read' op expects a token of the same pipeline}}
  %1 = nv_tileas.async.pipeline.consumer_read %q, %0 payload [] {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @release_of_another_pipeline(%p: !nv_tileas.pipeline, %q: !nv_tileas.pipeline, %i: !nv_tileas.iter<consumer>) {
  %0 = nv_tileas.async.pipeline.consumer_wait %p, %i : !nv_tileas.iter<consumer>
  // expected-error @+1 {{'nv_tileas.async.pipeline.consumer_release' op expects a token of the same pipeline}}
  nv_tileas.async.pipeline.consumer_release %q, %0
  nv_tileaa.return
}

// -----

// A stage that was read is released; it is not read again from the token of the read.
nv_tileaa.func @read_after_read(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<consumer>) {
  %0 = nv_tileas.async.pipeline.consumer_wait %p, %i : !nv_tileas.iter<consumer>
  %1 = nv_tileas.async.pipeline.consumer_read %p, %0 payload [] {
    nv_tileas.async.pipeline.yield
  }
  // expected-error @+1 {{expects a token from consumer_wait}}
  %2 = nv_tileas.async.pipeline.consumer_read %p, %1 payload [] {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

// Writes may follow each other; a null token stands for no stage; a wait or an acquire may be
// released or committed without use.
nv_tileaa.func @allowed(%p: !nv_tileas.pipeline, %i: !nv_tileas.iter<producer>, %j: !nv_tileas.iter<consumer>) {
  %0 = nv_tileas.async.pipeline.producer_acquire %p, %i : !nv_tileas.iter<producer>
  %1 = nv_tileas.async.pipeline.producer_write %p, %0 payload [] {
    nv_tileas.async.pipeline.yield
  }
  %2 = nv_tileas.async.pipeline.producer_write %p, %1 payload [] {
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %2 bytes 0
  %3 = nv_tileas.async.pipeline.producer_acquire %p, %i : !nv_tileas.iter<producer>
  nv_tileas.async.pipeline.producer_commit %p, %3
  %4 = nv_tileas.async.pipeline.create_null_token : !nv_tileas.producer_token
  nv_tileas.async.pipeline.producer_commit %p, %4
  %5 = nv_tileas.async.pipeline.consumer_wait %p, %j consumer 0 : !nv_tileas.iter<consumer>
  nv_tileas.async.pipeline.consumer_release %p, %5
  nv_tileaa.return
}

// -----

// The limits themselves: 31 barriers, one stage, as many stages as slots, an unknown number of slots.
nv_tileaa.func @limits(%two: !nv_tileas.tiled_view<2x8xf16, smem>, %any: !nv_tileas.tiled_view<?x8xf16, smem>) {
  %0 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", barrier = 31 : i32, numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %1 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", barrier = 1 : i32, numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %2 = nv_tileas.async.pipeline.create_pipeline %two : !nv_tileas.tiled_view<2x8xf16, smem> {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, numConsumers = 1 : i32}
  %3 = nv_tileas.async.pipeline.create_pipeline %any : !nv_tileas.tiled_view<?x8xf16, smem> {numStages = 3 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %4 = nv_tileas.async.pipeline.create_iterator %2 as "producer" : !nv_tileas.iter<producer, f16, 2>
  nv_tileaa.return
}

// -----

// Barrier 0 is the barrier of the whole block.
nv_tileaa.func @barrier_zero() {
  // expected-error @+1 {{Mutex_ barrier index out of range}}
  %0 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", barrier = 0 : i32, numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  nv_tileaa.return
}

// -----

nv_tileaa.func @mutex_storage(%ring: !nv_tileas.tiled_view<2x8xf16, smem>) {
  // expected-error @+1 {{expects neither payload nor storage in a mutex}}
  %0 = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x8xf16, smem> {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  nv_tileaa.return
}

// -----

nv_tileaa.func @role_that_is_none(%p: !nv_tileas.pipeline) {
  // expected-error @+1 {{expects an iterator type of role 'observer'}}
  %0 = nv_tileas.async.pipeline.create_iterator %p as "observer" : !nv_tileas.iter<producer>
  nv_tileaa.return
}

// -----

nv_tileaa.func @consumer_of_a_wait(%i: !nv_tileas.iter<consumer>) {
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, numConsumers = 2 : i32}
  // expected-error @+1 {{consumer_idx out of range for consumer group}}
  %0 = nv_tileas.async.pipeline.consumer_wait %p, %i consumer 2 : !nv_tileas.iter<consumer>
  nv_tileaa.return
}

// -----

// The pipeline's own number of consumers counts, not that of the agents around.
nv_tileaa.func @consumers_of_the_pipeline(%i: !nv_tileas.iter<consumer>) {
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, numConsumers = 3 : i32}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32} {
    %0 = nv_tileas.async.pipeline.consumer_wait %p, %i consumer 2 : !nv_tileas.iter<consumer>
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @pipeline_of_a_loop(%n: index, %p: !nv_tileas.pipeline, %q: !nv_tileas.pipeline) {
  %r = scf.for %k = %n to %n step %n iter_args(%m = %p) -> (!nv_tileas.pipeline) {
    // expected-error @+1 {{expects a pipeline that is not merged by control flow as first operand}}
    %0 = nv_tileas.async.pipeline.create_iterator %m as "consumer" : !nv_tileas.iter<consumer>
    scf.yield %q : !nv_tileas.pipeline
  }
  nv_tileaa.return
}

// -----

// Results of the region: the token of ownership in front is none of them.
nv_tileaa.func @missing_result(%p: !nv_tileas.pipeline, %t: !nv_tileas.producer_token) {
  // expected-error @+1 {{expects region result types to be match with operation result types [], but got: [f16]}}
  %0 = nv_tileas.async.pipeline.producer_write %p, %t payload [f16] {
  ^bb0(%x: f16):
    nv_tileas.async.pipeline.yield %x : f16
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @payload_of_a_read(%i: !nv_tileas.iter<consumer>) {
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [f32, f16]}
  %0 = nv_tileas.async.pipeline.consumer_wait %p, %i : !nv_tileas.iter<consumer>
  // expected-error @+1 {{expects the payload types of the pipeline [f32, f16], but got: [f32]}}
  %1 = nv_tileas.async.pipeline.consumer_read %p, %0 payload [f32] {
  ^bb0(%x: f32):
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

// Every list of an agent switch has an entry for each agent.
nv_tileaa.func @warps_of_agents() {
  // expected-error @+1 {{expects 'num_warps' to have one entry for each of 1 agents}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 4>} {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @starts_of_agents() {
  // expected-error @+1 {{expects 'warp_id' to have one entry for each of 1 agents}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, warp_id = array<i32>} {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @strides_of_agents() {
  // expected-error @+1 {{expects 'agent_strides' to have one entry for each of 1 agents}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, agent_strides = array<i32: 1, 1>} {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @holes_of_agents() {
  // expected-error @+1 {{expects 'holes' to have one entry for each of 1 agents}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, holes = array<i1: true, false>} {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @negative_start() {
  // expected-error @+1 {{expects warp_id to be non-negative}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 4>, warp_id = array<i32: -4>} {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @negative_registers() {
  // expected-error @+1 {{expects max_regs from 0 to 256, but got -8}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, max_regs = array<i32: -8>} {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

// A hole need not agree, but its warps count.
nv_tileaa.func @holes(%x: f32) attributes {nv_tileaa.kernel_spec = {numWarps = 12 : i32}} {
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, max_regs = array<i32: 0, 256, 40>, num_warps = array<i32: 4, 4, 3>, holes = array<i1: false, false, true>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  // expected-error @+1 {{agent warp count exceeds module budget}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 4, 5>, holes = array<i1: false, false, true>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}
