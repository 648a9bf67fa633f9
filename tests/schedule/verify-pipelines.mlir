// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --tileas-verify-pipelines %s

// One violation of each rule of a pipeline.

// Both ends match, the record has as many slots as the ring, and there is no schedule.
func.func @good(%c0: index, %d: !nv_tileas.tma_desc) {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x16x16xf16, smem>
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x16x16xf16, smem> {consumerGroupId = 1 : i8, numStages = 2 : i32, payload = [tensor<16x16xf16>], producerGroupId = 0 : i8, tileas.buffer = {class = "smem", mbarriers = 1024 : i64, offset = 0 : i64, slots = 2 : i32, stride = 512 : i64}}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<16x16xf16>] {
  ^bb0(%slot: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci : !nv_tileas.iter<consumer>
  %read = nv_tileas.async.pipeline.consumer_read %p, %ready payload [tensor<16x16xf16>] {
  ^bb0(%tile: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.consumer_release %p, %read
  return
}

// -----

// Verifier 1, type match: both ends must match even if the pipeline does not declare its payload.
func.func @types(%c0: index, %d: !nv_tileas.tma_desc) {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x16x16xf16, smem>
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x16x16xf16, smem> {consumerGroupId = 1 : i8, numStages = 2 : i32, producerGroupId = 0 : i8}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<16x16xf16>] {
  ^bb0(%slot: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci : !nv_tileas.iter<consumer>
  // expected-error @+1 {{'nv_tileas.async.pipeline.consumer_read' op expects values of types [tensor<32x8xf16>], but the pipeline is filled with [tensor<16x16xf16>]}}
  %read = nv_tileas.async.pipeline.consumer_read %p, %ready payload [tensor<32x8xf16>] {
  ^bb0(%tile: tensor<32x8xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.consumer_release %p, %read
  return
}

// -----

// Verifier 2, depth, and invariant 2: the record of the buffer has fewer slots than there are stages.
func.func @depth(%c0: index, %d: !nv_tileas.tma_desc) {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<3x16x16xf16, smem>
  // expected-error @+1 {{Pipe_ depth exceeds allocated slots}}
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<3x16x16xf16, smem> {consumerGroupId = 1 : i8, numStages = 3 : i32, payload = [tensor<16x16xf16>], producerGroupId = 0 : i8, tileas.buffer = {class = "smem", mbarriers = 1024 : i64, offset = 0 : i64, slots = 2 : i32, stride = 512 : i64}}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<16x16xf16>] {
  ^bb0(%slot: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci : !nv_tileas.iter<consumer>
  %read = nv_tileas.async.pipeline.consumer_read %p, %ready payload [tensor<16x16xf16>] {
  ^bb0(%tile: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.consumer_release %p, %read
  return
}

// -----

// A pipe has at most 64 stages.
func.func @deep(%c0: index, %d: !nv_tileas.tma_desc) {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<65x16x16xf16, smem>
  // expected-error @+1 {{has 65 stages, but a pipeline of its flavour has at most 64}}
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<65x16x16xf16, smem> {consumerGroupId = 1 : i8, numStages = 65 : i32, payload = [tensor<16x16xf16>], producerGroupId = 0 : i8}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<16x16xf16>] {
  ^bb0(%slot: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci : !nv_tileas.iter<consumer>
  %read = nv_tileas.async.pipeline.consumer_read %p, %ready payload [tensor<16x16xf16>] {
  ^bb0(%tile: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.consumer_release %p, %read
  return
}

// -----

// Verifier 3, attributes: a mutex has both.
func.func @mutex(%c0: index, %d: !nv_tileas.tma_desc) {
  // expected-error @+1 {{is a mutex without i32 attribute 'nv_tile.aws.order'}}
  %p = nv_tileas.async.pipeline.create_pipeline {barrier = 1 : i32, consumerGroupId = 1 : i8, kind = "mutex", numStages = 1 : i32, nv_tile.aws.order = 0 : i64, nv_tile.aws.stage = 0 : i32, producerGroupId = 0 : i8}
  return
}

// -----

// Invariant 1: stage and order of a pipe are those of the operation that fills it.
func.func @header(%c0: index, %d: !nv_tileas.tma_desc) {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x16x16xf16, smem>
  // expected-error @+1 {{has stage 0 and order 0, but the operation that fills it has 0 and 1}}
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x16x16xf16, smem> {consumerGroupId = 1 : i8, numStages = 2 : i32, payload = [tensor<16x16xf16>], producerGroupId = 0 : i8, nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<16x16xf16>] {
  ^bb0(%slot: tensor<16x16xf16>):
    %done = nv_tileas.async.tiled_tma_load %d[%c0, %c0] to %slot barrier %own {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32} : tensor<16x16xf16>, !nv_tileas.producer_token
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full bytes 512
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci : !nv_tileas.iter<consumer>
  %read = nv_tileas.async.pipeline.consumer_read %p, %ready payload [tensor<16x16xf16>] {
  ^bb0(%tile: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.consumer_release %p, %read
  return
}

// -----

// A pipe may omit them only if the operation that fills it has none.
func.func @headless(%c0: index, %d: !nv_tileas.tma_desc) {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x16x16xf16, smem>
  // expected-error @+1 {{requires i32 attributes 'nv_tile.aws.stage' and 'nv_tile.aws.order', because the operation that fills it is scheduled}}
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x16x16xf16, smem> {consumerGroupId = 1 : i8, numStages = 2 : i32, payload = [tensor<16x16xf16>], producerGroupId = 0 : i8}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<16x16xf16>] {
  ^bb0(%slot: tensor<16x16xf16>):
    %done = nv_tileas.async.tiled_tma_load %d[%c0, %c0] to %slot barrier %own {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>, nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32} : tensor<16x16xf16>, !nv_tileas.producer_token
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full bytes 512
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci : !nv_tileas.iter<consumer>
  %read = nv_tileas.async.pipeline.consumer_read %p, %ready payload [tensor<16x16xf16>] {
  ^bb0(%tile: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.consumer_release %p, %read
  return
}

// -----

// Verifier 4, list schedule: stage and order name one operation of a loop.
func.func @orders(%n: index, %c1: index) {
  scf.for %i = %n to %n step %c1 {
    // expected-note @+1 {{the other one is here}}
    "test.a"() {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32} : () -> ()
    // expected-error @+1 {{has the same stage 0 and order 1 as another operation of its loop}}
    "test.b"() {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32} : () -> ()
  }
  return
}

// -----

// Verifier 5, loop schedule: stages are not negative. They are checked against the number of stages while the
// loop has its summary, by tileas-verify-schedule.
func.func @stages(%n: index, %c1: index) {
  scf.for %i = %n to %n step %c1 {
    // expected-error @+1 {{has stage -1 and order 0, which must not be negative}}
    "test.a"() {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = -1 : i32} : () -> ()
  }
  return
}

// -----

// Invariant 3: a mutex has a separate named barrier.
func.func @barriers() {
  // expected-note @+1 {{the other one is here}}
  %a = nv_tileas.async.pipeline.create_pipeline {barrier = 3 : i32, consumerGroupId = 1 : i8, kind = "mutex", numStages = 1 : i32, nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, producerGroupId = 0 : i8}
  // expected-error @+1 {{has named barrier 3, which another mutex uses}}
  %b = nv_tileas.async.pipeline.create_pipeline {barrier = 3 : i32, consumerGroupId = 1 : i8, kind = "mutex", numStages = 1 : i32, nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, producerGroupId = 0 : i8}
  return
}

// Another function has separate barriers.
func.func @other_barriers() {
  %a = nv_tileas.async.pipeline.create_pipeline {barrier = 3 : i32, consumerGroupId = 1 : i8, kind = "mutex", numStages = 1 : i32, nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, producerGroupId = 0 : i8}
  return
}

// -----

// Invariant 4: a pipeline that carries values does not use only a named barrier.
func.func @barrier_only(%c0: index, %d: !nv_tileas.tma_desc) {
  // expected-error @+1 {{the producer_tail implemented with named barrier does not yet support user payload}}
  %p = nv_tileas.async.pipeline.create_pipeline {consumerGroupId = 1 : i8, numStages = 1 : i32, payload = [tensor<16x16xf16>], producerGroupId = 0 : i8, tileas.buffer = {barrier = 1 : i32, class = "barrier"}}
  return
}

// -----

// A mutex does not count bytes.
func.func @lock_counts(%c0: index, %d: !nv_tileas.tma_desc) {
  %p = nv_tileas.async.pipeline.create_pipeline {barrier = 1 : i32, consumerGroupId = 1 : i8, kind = "mutex", numStages = 1 : i32, nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, producerGroupId = 0 : i8}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  // expected-error @+1 {{using transaction mbarrier is not supported}}
  nv_tileas.async.pipeline.producer_commit %p, %own bytes 512
  return
}

// -----

// A consumer without a producer would deadlock.
func.func @no_producer(%c0: index, %d: !nv_tileas.tma_desc) {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x16x16xf16, smem>
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x16x16xf16, smem> {consumerGroupId = 1 : i8, numStages = 2 : i32, payload = [tensor<16x16xf16>], producerGroupId = 0 : i8}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  // expected-error @+1 {{consumer has no producer for raw value}}
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci : !nv_tileas.iter<consumer>
  %read = nv_tileas.async.pipeline.consumer_read %p, %ready payload [tensor<16x16xf16>] {
  ^bb0(%tile: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.consumer_release %p, %read
  return
}

// -----

// A producer without a consumer to release its slots would deadlock.
func.func @no_consumer(%c0: index, %d: !nv_tileas.tma_desc) {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x16x16xf16, smem>
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x16x16xf16, smem> {consumerGroupId = 1 : i8, numStages = 2 : i32, payload = [tensor<16x16xf16>], producerGroupId = 0 : i8}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  // expected-error @+1 {{waits for a stage that is never released}}
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<16x16xf16>] {
  ^bb0(%slot: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full
  return
}

// -----

// Invariant 6: the ends of a stage agree on pipeline_stage.
func.func @stage_of_ends(%c0: index, %d: !nv_tileas.tma_desc) {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x16x16xf16, smem>
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x16x16xf16, smem> {consumerGroupId = 1 : i8, numStages = 2 : i32, payload = [tensor<16x16xf16>], producerGroupId = 0 : i8}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  // expected-note @+1 {{the other one is here}}
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi {pipeline_stage = 1 : i32} : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<16x16xf16>] {
  ^bb0(%slot: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full
  // expected-error @+1 {{has pipeline_stage 2, but the other end has 1}}
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci {pipeline_stage = 2 : i32} : !nv_tileas.iter<consumer>
  %read = nv_tileas.async.pipeline.consumer_read %p, %ready payload [tensor<16x16xf16>] {
  ^bb0(%tile: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.consumer_release %p, %read
  return
}

// -----

// One kind of instruction fills a pipeline.
func.func @instructions(%c0: index, %d: !nv_tileas.tma_desc, %x: tensor<16x16xf16>) {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x16x16xf16, smem>
  // expected-error @+1 {{there are two `produce-one-like` operations using different instructions to generate data into the same pipeline. It's a bug of MaterializeAsync Pass.}}
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x16x16xf16, smem> {consumerGroupId = 1 : i8, numStages = 2 : i32, payload = [tensor<16x16xf16>], producerGroupId = 0 : i8}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<16x16xf16>] {
  ^bb0(%slot: tensor<16x16xf16>):
    %done = nv_tileas.async.tiled_tma_load %d[%c0, %c0] to %slot barrier %own {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 16]>} : tensor<16x16xf16>, !nv_tileas.producer_token
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full bytes 512
  %own2 = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full2 = nv_tileas.async.pipeline.producer_write %p, %own2 payload [tensor<16x16xf16>] {
  ^bb0(%slot: tensor<16x16xf16>):
    nv_tileas.copy %x to %slot {atom = #nv_tileas.atom<"sts">} : tensor<16x16xf16> to tensor<16x16xf16>
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full2
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci : !nv_tileas.iter<consumer>
  %read = nv_tileas.async.pipeline.consumer_read %p, %ready payload [tensor<16x16xf16>] {
  ^bb0(%tile: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.consumer_release %p, %read
  return
}

// -----

// Two pipelines in one ring.
func.func @alias() {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x16x16xf16, smem>
  // expected-note @+1 {{its storage is used here too}}
  %a = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x16x16xf16, smem> {consumerGroupId = 1 : i8, numStages = 2 : i32, payload = [tensor<16x16xf16>], producerGroupId = 0 : i8}
  // expected-error @+1 {{Alias is not expected here.}}
  %b = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x16x16xf16, smem> {consumerGroupId = 1 : i8, numStages = 2 : i32, payload = [tensor<16x16xf16>], producerGroupId = 0 : i8}
  return
}

// -----

// Agents nested in an agent of four warps need eight.
func.func @warps() {
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 4>} {
    // expected-error @+1 {{inconsistent numWarps in the agent switch, maybe it is called in different agents with different numWarps}}
    nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 4>} {
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

// Agents run at the same time, so none may have a warp of another.
func.func @same_warps() {
  // expected-error @+1 {{agent 1 has warps 0 to 3, which overlap those of agent 0}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 0>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

// Ranges that overlap in one warp; the agent without a number has four, as the other.
func.func @overlapping_warps() {
  // expected-error @+1 {{agent 1 has warps 3 to 6, which overlap those of agent 0}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 0>, warp_id = array<i32: 0, 3>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

// The ranges need not be in the order of the agents, and may have gaps.
func.func @reversed_warps() attributes {nv_tileaa.kernel_spec = {numWarps = 12 : i32}} {
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 4>, warp_id = array<i32: 8, 0>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

// The sum of the warps is that of the kernel, but the second agent starts too late.
func.func @missing_warps() attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  // expected-error @+1 {{has an agent with warp 8, but the kernel has 8 warps}}
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 5>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

// A slot that no stage uses: the ring was planned for three.
func.func @fewer_stages_than_slots() {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<3x16x16xf16, smem>
  // expected-error @+1 {{has 2 stages, but its storage has 3 slots}}
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<3x16x16xf16, smem> {consumerGroupId = 1 : i8, numStages = 2 : i32, payload = [tensor<16x16xf16>], producerGroupId = 0 : i8}
  return
}

// -----

// A reader uses the second tile of a stage, and only the first is written.
func.func @unwritten(%x: tensor<16x16xf16>) {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x2x16x16xf16, smem>
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x2x16x16xf16, smem> {consumerGroupId = 1 : i8, numStages = 2 : i32, payload = [tensor<16x16xf16>, tensor<16x16xf16>], producerGroupId = 0 : i8}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  // expected-note @+1 {{value 1 of the stage is not written here}}
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<16x16xf16>, tensor<16x16xf16>] {
  ^bb0(%slot: tensor<16x16xf16>, %other: tensor<16x16xf16>):
    nv_tileas.copy %x to %slot {atom = #nv_tileas.atom<"sts_128">} : tensor<16x16xf16> to tensor<16x16xf16>
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci : !nv_tileas.iter<consumer>
  // expected-error @+1 {{'nv_tileas.async.pipeline.consumer_read' op Cannot find last written SSA.}}
  %read = nv_tileas.async.pipeline.consumer_read %p, %ready payload [tensor<16x16xf16>, tensor<16x16xf16>] {
  ^bb0(%tile: tensor<16x16xf16>, %second: tensor<16x16xf16>):
    "test.use"(%tile, %second) : (tensor<16x16xf16>, tensor<16x16xf16>) -> ()
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.consumer_release %p, %read
  return
}
