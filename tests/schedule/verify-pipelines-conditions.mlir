// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --tileas-verify-pipelines='require-buffers=true' %s

// Conditions of the rules of pipelines, each alone; the cases without an expected error are allowed.

// With the option, storage needs a record.
func.func @no_record() {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x16x16xf16, smem>
  // expected-error @+1 {{has storage but no 'tileas.buffer'}}
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x16x16xf16, smem> {numStages = 2 : i32, payload = [tensor<16x16xf16>], consumerGroupId = 1 : i8, producerGroupId = 0 : i8}
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

func.func @record() {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x16x16xf16, smem>
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x16x16xf16, smem> {numStages = 2 : i32, payload = [tensor<16x16xf16>], tileas.buffer = {class = "smem", mbarriers = 1024 : i64, offset = 0 : i64, slots = 2 : i32, stride = 512 : i64}, consumerGroupId = 1 : i8, producerGroupId = 0 : i8}
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

func.func @no_stage() {
  // expected-error @+1 {{is a mutex without i32 attribute 'nv_tile.aws.stage'}}
  %p = nv_tileas.async.pipeline.create_pipeline {barrier = 1 : i32, kind = "mutex", numStages = 1 : i32, nv_tile.aws.order = 0 : i32, consumerGroupId = 1 : i8, producerGroupId = 0 : i8}
  return
}

// -----

// A pipeline that is marked as never filled is not waited for, even if something commits to it.
func.func @trivial() {
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, payload = [tensor<16x16xf16>], tileas.schedule.trivial, consumerGroupId = 1 : i8, producerGroupId = 0 : i8}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<16x16xf16>] {
  ^bb0(%slot: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full
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

func.func @unused_trivial() {
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, payload = [tensor<16x16xf16>], tileas.schedule.trivial, consumerGroupId = 1 : i8, producerGroupId = 0 : i8}
  return
}

// -----

// Bytes are counted only where a stage carries values.
func.func @bytes_of_nothing() {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x1xi8, smem>
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x1xi8, smem> {numStages = 2 : i32, payload = [], tileas.buffer = {class = "smem", mbarriers = 1024 : i64, offset = 0 : i64, slots = 2 : i32, stride = 512 : i64}, consumerGroupId = 1 : i8, producerGroupId = 0 : i8}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  // expected-error @+1 {{using transaction mbarrier is not supported}}
  nv_tileas.async.pipeline.producer_commit %p, %own bytes 16
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci : !nv_tileas.iter<consumer>
  nv_tileas.async.pipeline.consumer_release %p, %ready
  return
}

// -----

// Both fills write the same types.
func.func @two_fills() {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x16x16xf16, smem>
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x16x16xf16, smem> {numStages = 2 : i32, tileas.buffer = {class = "smem", mbarriers = 1024 : i64, offset = 0 : i64, slots = 2 : i32, stride = 512 : i64}, consumerGroupId = 1 : i8, producerGroupId = 0 : i8}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<16x16xf16>] {
  ^bb0(%slot: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full
  %own2 = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  // expected-error @+1 {{'nv_tileas.async.pipeline.producer_write' op expects values of types [tensor<16x16xf16>, tensor<16x16xf16>], but the pipeline is filled with [tensor<16x16xf16>]}}
  %full2 = nv_tileas.async.pipeline.producer_write %p, %own2 payload [tensor<16x16xf16>, tensor<16x16xf16>] {
  ^bb0(%slot: tensor<16x16xf16>, %other: tensor<16x16xf16>):
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

// An acquire that is never committed fills nothing.
func.func @wait_without_commit() {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x16x16xf16, smem>
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x16x16xf16, smem> {numStages = 2 : i32, payload = [tensor<16x16xf16>], tileas.buffer = {class = "smem", mbarriers = 1024 : i64, offset = 0 : i64, slots = 2 : i32, stride = 512 : i64}, consumerGroupId = 1 : i8, producerGroupId = 0 : i8}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
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

// A wait that is never released gives nothing back.
func.func @acquire_without_release() {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x16x16xf16, smem>
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x16x16xf16, smem> {numStages = 2 : i32, payload = [tensor<16x16xf16>], tileas.buffer = {class = "smem", mbarriers = 1024 : i64, offset = 0 : i64, slots = 2 : i32, stride = 512 : i64}, consumerGroupId = 1 : i8, producerGroupId = 0 : i8}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  // expected-error @+1 {{waits for a stage that is never released}}
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<16x16xf16>] {
  ^bb0(%slot: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci : !nv_tileas.iter<consumer>
  return
}

// -----

// The operations for whole stages are both ends.
func.func @produce_and_consume() {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x16x16xf16, smem>
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x16x16xf16, smem> {numStages = 2 : i32, payload = [tensor<16x16xf16>], tileas.buffer = {class = "smem", mbarriers = 1024 : i64, offset = 0 : i64, slots = 2 : i32, stride = 512 : i64}, consumerGroupId = 1 : i8, producerGroupId = 0 : i8}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %0 = nv_tileas.async.pipeline.produce_one %p, %pi payload [tensor<16x16xf16>] : !nv_tileas.iter<producer> {
  ^bb0(%slot: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  %1:2 = nv_tileas.async.pipeline.consume_one_async %p, %ci payload [tensor<16x16xf16>] : !nv_tileas.iter<consumer> {
  ^bb0(%tile: tensor<16x16xf16>):
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

func.func @two_barriers() {
  %a = nv_tileas.async.pipeline.create_pipeline {barrier = 3 : i32, kind = "mutex", numStages = 1 : i32, nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, consumerGroupId = 1 : i8, producerGroupId = 0 : i8}
  %b = nv_tileas.async.pipeline.create_pipeline {barrier = 4 : i32, kind = "mutex", numStages = 1 : i32, nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, consumerGroupId = 1 : i8, producerGroupId = 0 : i8}
  return
}

// -----

// The deepest pipe.
func.func @stages_64() {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<64x16x16xf16, smem>
  %p = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<64x16x16xf16, smem> {numStages = 64 : i32, payload = [tensor<16x16xf16>], tileas.buffer = {class = "smem", mbarriers = 1024 : i64, offset = 0 : i64, slots = 64 : i32, stride = 512 : i64}, consumerGroupId = 1 : i8, producerGroupId = 0 : i8}
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

// Two agents of four warps each fit the eight of the second agent, and not those of the first.
func.func @second_agent() {
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 8>, holes = array<i1: true, false>} {
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 4>} {
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

func.func @second_agent_of_nine() {
  nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 8>, holes = array<i1: true, false>} {
    nv_tileas.async.pipeline.yield
  }, {
    // expected-error @+1 {{inconsistent numWarps in the agent switch, maybe it is called in different agents with different numWarps}}
    nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 5, 5>} {
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

// Equal orders in different stages, and the copies of a branch for other iterations.
func.func @orders(%n: index, %c: i1) {
  scf.for %i = %n to %n step %n {
    "test.a"() {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32} : () -> ()
    "test.b"() {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 1 : i32} : () -> ()
    "test.c"() {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32} : () -> ()
    scf.if %c {
      "test.d"() {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32} : () -> ()
    }
  }
  scf.for %i = %n to %n step %n {
    // expected-error @+1 {{has stage 0 and order -2, which must not be negative}}
    "test.a"() {nv_tile.aws.order = -2 : i32, nv_tile.aws.stage = 0 : i32} : () -> ()
  }
  return
}
