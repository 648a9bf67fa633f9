// RUN: orison-opt %s --tileas-assign-buffers='share=schedule' | FileCheck %s

// Pipelines that are busy at different times, from cycle 0 to 6 and from 8 to 14, share their bytes if
// their slots have as many bytes and the same element. Slots with several elements count as bytes.

// CHECK-LABEL: @both_mixed
// CHECK: create_pipeline {{.*}}offset = 0 : i64
// CHECK-NEXT: create_pipeline {{.*}}offset = 0 : i64
func.func @both_mixed(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pipe0 = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x128xf16>, tensor<64x64xf32>]}
  %pipe1 = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x64xf32>, tensor<64x128xf16>]}
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe0 as "producer" : !nv_tileas.iter<producer>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe0 as "consumer" : !nv_tileas.iter<consumer>
  %p1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "producer" : !nv_tileas.iter<producer>
  %q1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "consumer" : !nv_tileas.iter<consumer>
  scf.for %i = %c0 to %n step %c1 {
    %w00 = nv_tileas.async.pipeline.produce_one %pipe0, %p0 payload [tensor<64x128xf16>, tensor<64x64xf32>] : !nv_tileas.iter<producer> attributes {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 2 : i32} {
    ^bb0(%buffer0: tensor<64x128xf16>, %buffer1: tensor<64x64xf32>):
      nv_tileas.async.pipeline.yield
    }
    %r01 = nv_tileas.async.pipeline.consume_one %pipe0, %q0 consumer 0 payload [tensor<64x128xf16>, tensor<64x64xf32>] : !nv_tileas.iter<consumer> attributes {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 2 : i32, tileas.schedule.latency = 4 : i32} {
    ^bb0(%tile0: tensor<64x128xf16>, %tile1: tensor<64x64xf32>):
      nv_tileas.async.pipeline.yield
    }
    %w12 = nv_tileas.async.pipeline.produce_one %pipe1, %p1 payload [tensor<64x64xf32>, tensor<64x128xf16>] : !nv_tileas.iter<producer> attributes {nv_tile.aws.order = 2 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 8 : i32, tileas.schedule.latency = 2 : i32} {
    ^bb0(%buffer0: tensor<64x64xf32>, %buffer1: tensor<64x128xf16>):
      nv_tileas.async.pipeline.yield
    }
    %r13 = nv_tileas.async.pipeline.consume_one %pipe1, %q1 consumer 0 payload [tensor<64x64xf32>, tensor<64x128xf16>] : !nv_tileas.iter<consumer> attributes {nv_tile.aws.order = 3 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 10 : i32, tileas.schedule.latency = 4 : i32} {
    ^bb0(%tile0: tensor<64x64xf32>, %tile1: tensor<64x128xf16>):
      nv_tileas.async.pipeline.yield
    }
  } {tileas.schedule = {ii = 16 : i32, stages = 1 : i32}}
  return
}

// CHECK-LABEL: @one_mixed
// CHECK: create_pipeline {{.*}}offset = 0 : i64
// CHECK-NEXT: create_pipeline {{.*}}offset = 32768 : i64
func.func @one_mixed(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pipe0 = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x128xf16>, tensor<64x64xf32>]}
  %pipe1 = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x256xf16>]}
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe0 as "producer" : !nv_tileas.iter<producer>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe0 as "consumer" : !nv_tileas.iter<consumer>
  %p1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "producer" : !nv_tileas.iter<producer>
  %q1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "consumer" : !nv_tileas.iter<consumer>
  scf.for %i = %c0 to %n step %c1 {
    %w00 = nv_tileas.async.pipeline.produce_one %pipe0, %p0 payload [tensor<64x128xf16>, tensor<64x64xf32>] : !nv_tileas.iter<producer> attributes {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 2 : i32} {
    ^bb0(%buffer0: tensor<64x128xf16>, %buffer1: tensor<64x64xf32>):
      nv_tileas.async.pipeline.yield
    }
    %r01 = nv_tileas.async.pipeline.consume_one %pipe0, %q0 consumer 0 payload [tensor<64x128xf16>, tensor<64x64xf32>] : !nv_tileas.iter<consumer> attributes {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 2 : i32, tileas.schedule.latency = 4 : i32} {
    ^bb0(%tile0: tensor<64x128xf16>, %tile1: tensor<64x64xf32>):
      nv_tileas.async.pipeline.yield
    }
    %w12 = nv_tileas.async.pipeline.produce_one %pipe1, %p1 payload [tensor<64x256xf16>] : !nv_tileas.iter<producer> attributes {nv_tile.aws.order = 2 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 8 : i32, tileas.schedule.latency = 2 : i32} {
    ^bb0(%buffer0: tensor<64x256xf16>):
      nv_tileas.async.pipeline.yield
    }
    %r13 = nv_tileas.async.pipeline.consume_one %pipe1, %q1 consumer 0 payload [tensor<64x256xf16>] : !nv_tileas.iter<consumer> attributes {nv_tile.aws.order = 3 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 10 : i32, tileas.schedule.latency = 4 : i32} {
    ^bb0(%tile0: tensor<64x256xf16>):
      nv_tileas.async.pipeline.yield
    }
  } {tileas.schedule = {ii = 16 : i32, stages = 1 : i32}}
  return
}
