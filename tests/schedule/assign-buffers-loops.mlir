// RUN: orison-opt --allow-unregistered-dialect %s --tileas-assign-buffers='share=schedule' | FileCheck %s

// Only lifetimes in one loop can be compared: a pipeline that several loops use is always busy.

// Both in one loop: the first is free from cycle 6 on, the second busy from 8 to 14.
// CHECK-LABEL: @one_loop
// CHECK: create_pipeline {{.*}}offset = 0 : i64
// CHECK-NEXT: create_pipeline {{.*}}offset = 0 : i64
func.func @one_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pipe0 = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x64xf16>]}
  %pipe1 = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x64xf16>]}
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe0 as "producer" : !nv_tileas.iter<producer>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe0 as "consumer" : !nv_tileas.iter<consumer>
  %p1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "producer" : !nv_tileas.iter<producer>
  %q1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "consumer" : !nv_tileas.iter<consumer>
  scf.for %i = %c0 to %n step %c1 {
    %w00 = nv_tileas.async.pipeline.produce_one %pipe0, %p0 payload [tensor<64x64xf16>] : !nv_tileas.iter<producer> attributes {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 2 : i32} {
    ^bb0(%buffer: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
    %r01 = nv_tileas.async.pipeline.consume_one %pipe0, %q0 consumer 0 payload [tensor<64x64xf16>] : !nv_tileas.iter<consumer> attributes {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 2 : i32, tileas.schedule.latency = 4 : i32} {
    ^bb0(%tile: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
    %w12 = nv_tileas.async.pipeline.produce_one %pipe1, %p1 payload [tensor<64x64xf16>] : !nv_tileas.iter<producer> attributes {nv_tile.aws.order = 2 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 8 : i32, tileas.schedule.latency = 2 : i32} {
    ^bb0(%buffer: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
    %r13 = nv_tileas.async.pipeline.consume_one %pipe1, %q1 consumer 0 payload [tensor<64x64xf16>] : !nv_tileas.iter<consumer> attributes {nv_tile.aws.order = 3 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 10 : i32, tileas.schedule.latency = 4 : i32} {
    ^bb0(%tile: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
  } {tileas.schedule = {ii = 16 : i32, stages = 1 : i32}}
  return
}

// CHECK-LABEL: @one_in_two_loops
// CHECK: create_pipeline {{.*}}offset = 0 : i64
// CHECK-NEXT: create_pipeline {{.*}}offset = 8192 : i64
func.func @one_in_two_loops(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pipe0 = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x64xf16>]}
  %pipe1 = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x64xf16>]}
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe0 as "producer" : !nv_tileas.iter<producer>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe0 as "consumer" : !nv_tileas.iter<consumer>
  %p1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "producer" : !nv_tileas.iter<producer>
  %q1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "consumer" : !nv_tileas.iter<consumer>
  scf.for %i = %c0 to %n step %c1 {
    %w00 = nv_tileas.async.pipeline.produce_one %pipe0, %p0 payload [tensor<64x64xf16>] : !nv_tileas.iter<producer> attributes {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 2 : i32} {
    ^bb0(%buffer: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
    %r01 = nv_tileas.async.pipeline.consume_one %pipe0, %q0 consumer 0 payload [tensor<64x64xf16>] : !nv_tileas.iter<consumer> attributes {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 2 : i32, tileas.schedule.latency = 4 : i32} {
    ^bb0(%tile: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
    %w12 = nv_tileas.async.pipeline.produce_one %pipe1, %p1 payload [tensor<64x64xf16>] : !nv_tileas.iter<producer> attributes {nv_tile.aws.order = 2 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 8 : i32, tileas.schedule.latency = 2 : i32} {
    ^bb0(%buffer: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
    %r13 = nv_tileas.async.pipeline.consume_one %pipe1, %q1 consumer 0 payload [tensor<64x64xf16>] : !nv_tileas.iter<consumer> attributes {nv_tile.aws.order = 3 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 10 : i32, tileas.schedule.latency = 4 : i32} {
    ^bb0(%tile: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
  } {tileas.schedule = {ii = 16 : i32, stages = 1 : i32}}
  scf.for %i = %c0 to %n step %c1 {
    %w00 = nv_tileas.async.pipeline.produce_one %pipe0, %p0 payload [tensor<64x64xf16>] : !nv_tileas.iter<producer> attributes {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 2 : i32} {
    ^bb0(%buffer: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
    %r01 = nv_tileas.async.pipeline.consume_one %pipe0, %q0 consumer 0 payload [tensor<64x64xf16>] : !nv_tileas.iter<consumer> attributes {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 2 : i32, tileas.schedule.latency = 4 : i32} {
    ^bb0(%tile: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
  } {tileas.schedule = {ii = 16 : i32, stages = 1 : i32}}
  return
}

// CHECK-LABEL: @two_loops
// CHECK: create_pipeline {{.*}}offset = 0 : i64
// CHECK-NEXT: create_pipeline {{.*}}offset = 8192 : i64
func.func @two_loops(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pipe0 = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x64xf16>]}
  %pipe1 = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x64xf16>]}
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe0 as "producer" : !nv_tileas.iter<producer>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe0 as "consumer" : !nv_tileas.iter<consumer>
  %p1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "producer" : !nv_tileas.iter<producer>
  %q1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "consumer" : !nv_tileas.iter<consumer>
  scf.for %i = %c0 to %n step %c1 {
    %w00 = nv_tileas.async.pipeline.produce_one %pipe0, %p0 payload [tensor<64x64xf16>] : !nv_tileas.iter<producer> attributes {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 2 : i32} {
    ^bb0(%buffer: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
    %r01 = nv_tileas.async.pipeline.consume_one %pipe0, %q0 consumer 0 payload [tensor<64x64xf16>] : !nv_tileas.iter<consumer> attributes {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 2 : i32, tileas.schedule.latency = 4 : i32} {
    ^bb0(%tile: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
  } {tileas.schedule = {ii = 16 : i32, stages = 1 : i32}}
  scf.for %i = %c0 to %n step %c1 {
    %w12 = nv_tileas.async.pipeline.produce_one %pipe1, %p1 payload [tensor<64x64xf16>] : !nv_tileas.iter<producer> attributes {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 8 : i32, tileas.schedule.latency = 2 : i32} {
    ^bb0(%buffer: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
    %r13 = nv_tileas.async.pipeline.consume_one %pipe1, %q1 consumer 0 payload [tensor<64x64xf16>] : !nv_tileas.iter<consumer> attributes {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 10 : i32, tileas.schedule.latency = 4 : i32} {
    ^bb0(%tile: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
  } {tileas.schedule = {ii = 16 : i32, stages = 1 : i32}}
  return
}

// Outside of scheduled loops no cycles are known.
// CHECK-LABEL: @outside
// CHECK: create_pipeline {{.*}}offset = 0 : i64
// CHECK-NEXT: create_pipeline {{.*}}offset = 8192 : i64
func.func @outside(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pipe0 = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x64xf16>]}
  %pipe1 = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x64xf16>]}
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe0 as "producer" : !nv_tileas.iter<producer>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe0 as "consumer" : !nv_tileas.iter<consumer>
  %p1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "producer" : !nv_tileas.iter<producer>
  %q1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "consumer" : !nv_tileas.iter<consumer>
  scf.for %i = %c0 to %n step %c1 {
    %w00 = nv_tileas.async.pipeline.produce_one %pipe0, %p0 payload [tensor<64x64xf16>] : !nv_tileas.iter<producer> attributes {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 2 : i32} {
    ^bb0(%buffer: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
    %r01 = nv_tileas.async.pipeline.consume_one %pipe0, %q0 consumer 0 payload [tensor<64x64xf16>] : !nv_tileas.iter<consumer> attributes {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 2 : i32, tileas.schedule.latency = 4 : i32} {
    ^bb0(%tile: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
  } {tileas.schedule = {ii = 16 : i32, stages = 1 : i32}}
  %w12 = nv_tileas.async.pipeline.produce_one %pipe1, %p1 payload [tensor<64x64xf16>] : !nv_tileas.iter<producer> attributes {nv_tile.aws.order = 2 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 8 : i32, tileas.schedule.latency = 2 : i32} {
  ^bb0(%buffer: tensor<64x64xf16>):
    nv_tileas.async.pipeline.yield
  }
  %r13 = nv_tileas.async.pipeline.consume_one %pipe1, %q1 consumer 0 payload [tensor<64x64xf16>] : !nv_tileas.iter<consumer> attributes {nv_tile.aws.order = 3 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 10 : i32, tileas.schedule.latency = 4 : i32} {
  ^bb0(%tile: tensor<64x64xf16>):
    nv_tileas.async.pipeline.yield
  }
  return
}
