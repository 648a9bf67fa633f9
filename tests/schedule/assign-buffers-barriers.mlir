// RUN: not orison-opt %s --tileas-assign-buffers 2>&1 | FileCheck %s
// RUN: orison-opt %s --tileas-assign-buffers='named-barriers=32' | FileCheck %s --check-prefix=MORE

// Sixteen mutexes that are always held require sixteen barriers in addition to barrier 0; NVIDIA hardware
// has fifteen. The reference's pool of 32 has enough.
//
// CHECK: error: 'nv_tileas.async.pipeline.create_pipeline' op fails to assign named barrier: its lifetime overlaps those of all 15 named barriers
// CHECK: note: phase 2, value 15 (Mutex_15), outside of scheduled loops
// CHECK: note: barrier 1: Mutex_0
// CHECK: note: barrier 15: Mutex_14
// CHECK-NOT: note: barrier 16
//
// MORE-COUNT-16: kind = "mutex"
// MORE-NOT: kind = "mutex"
func.func @mutexes_16() {
  %m0 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p0 = nv_tileas.async.pipeline.create_iterator %m0 as "producer" : !nv_tileas.iter<producer>
  %c0 = nv_tileas.async.pipeline.create_iterator %m0 as "consumer" : !nv_tileas.iter<consumer>
  %a0 = nv_tileas.async.pipeline.producer_acquire %m0, %p0 : !nv_tileas.iter<producer>
  %w0 = nv_tileas.async.pipeline.consumer_wait %m0, %c0 : !nv_tileas.iter<consumer>
  %m1 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p1 = nv_tileas.async.pipeline.create_iterator %m1 as "producer" : !nv_tileas.iter<producer>
  %c1 = nv_tileas.async.pipeline.create_iterator %m1 as "consumer" : !nv_tileas.iter<consumer>
  %a1 = nv_tileas.async.pipeline.producer_acquire %m1, %p1 : !nv_tileas.iter<producer>
  %w1 = nv_tileas.async.pipeline.consumer_wait %m1, %c1 : !nv_tileas.iter<consumer>
  %m2 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p2 = nv_tileas.async.pipeline.create_iterator %m2 as "producer" : !nv_tileas.iter<producer>
  %c2 = nv_tileas.async.pipeline.create_iterator %m2 as "consumer" : !nv_tileas.iter<consumer>
  %a2 = nv_tileas.async.pipeline.producer_acquire %m2, %p2 : !nv_tileas.iter<producer>
  %w2 = nv_tileas.async.pipeline.consumer_wait %m2, %c2 : !nv_tileas.iter<consumer>
  %m3 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p3 = nv_tileas.async.pipeline.create_iterator %m3 as "producer" : !nv_tileas.iter<producer>
  %c3 = nv_tileas.async.pipeline.create_iterator %m3 as "consumer" : !nv_tileas.iter<consumer>
  %a3 = nv_tileas.async.pipeline.producer_acquire %m3, %p3 : !nv_tileas.iter<producer>
  %w3 = nv_tileas.async.pipeline.consumer_wait %m3, %c3 : !nv_tileas.iter<consumer>
  %m4 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p4 = nv_tileas.async.pipeline.create_iterator %m4 as "producer" : !nv_tileas.iter<producer>
  %c4 = nv_tileas.async.pipeline.create_iterator %m4 as "consumer" : !nv_tileas.iter<consumer>
  %a4 = nv_tileas.async.pipeline.producer_acquire %m4, %p4 : !nv_tileas.iter<producer>
  %w4 = nv_tileas.async.pipeline.consumer_wait %m4, %c4 : !nv_tileas.iter<consumer>
  %m5 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p5 = nv_tileas.async.pipeline.create_iterator %m5 as "producer" : !nv_tileas.iter<producer>
  %c5 = nv_tileas.async.pipeline.create_iterator %m5 as "consumer" : !nv_tileas.iter<consumer>
  %a5 = nv_tileas.async.pipeline.producer_acquire %m5, %p5 : !nv_tileas.iter<producer>
  %w5 = nv_tileas.async.pipeline.consumer_wait %m5, %c5 : !nv_tileas.iter<consumer>
  %m6 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p6 = nv_tileas.async.pipeline.create_iterator %m6 as "producer" : !nv_tileas.iter<producer>
  %c6 = nv_tileas.async.pipeline.create_iterator %m6 as "consumer" : !nv_tileas.iter<consumer>
  %a6 = nv_tileas.async.pipeline.producer_acquire %m6, %p6 : !nv_tileas.iter<producer>
  %w6 = nv_tileas.async.pipeline.consumer_wait %m6, %c6 : !nv_tileas.iter<consumer>
  %m7 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p7 = nv_tileas.async.pipeline.create_iterator %m7 as "producer" : !nv_tileas.iter<producer>
  %c7 = nv_tileas.async.pipeline.create_iterator %m7 as "consumer" : !nv_tileas.iter<consumer>
  %a7 = nv_tileas.async.pipeline.producer_acquire %m7, %p7 : !nv_tileas.iter<producer>
  %w7 = nv_tileas.async.pipeline.consumer_wait %m7, %c7 : !nv_tileas.iter<consumer>
  %m8 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p8 = nv_tileas.async.pipeline.create_iterator %m8 as "producer" : !nv_tileas.iter<producer>
  %c8 = nv_tileas.async.pipeline.create_iterator %m8 as "consumer" : !nv_tileas.iter<consumer>
  %a8 = nv_tileas.async.pipeline.producer_acquire %m8, %p8 : !nv_tileas.iter<producer>
  %w8 = nv_tileas.async.pipeline.consumer_wait %m8, %c8 : !nv_tileas.iter<consumer>
  %m9 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p9 = nv_tileas.async.pipeline.create_iterator %m9 as "producer" : !nv_tileas.iter<producer>
  %c9 = nv_tileas.async.pipeline.create_iterator %m9 as "consumer" : !nv_tileas.iter<consumer>
  %a9 = nv_tileas.async.pipeline.producer_acquire %m9, %p9 : !nv_tileas.iter<producer>
  %w9 = nv_tileas.async.pipeline.consumer_wait %m9, %c9 : !nv_tileas.iter<consumer>
  %m10 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p10 = nv_tileas.async.pipeline.create_iterator %m10 as "producer" : !nv_tileas.iter<producer>
  %c10 = nv_tileas.async.pipeline.create_iterator %m10 as "consumer" : !nv_tileas.iter<consumer>
  %a10 = nv_tileas.async.pipeline.producer_acquire %m10, %p10 : !nv_tileas.iter<producer>
  %w10 = nv_tileas.async.pipeline.consumer_wait %m10, %c10 : !nv_tileas.iter<consumer>
  %m11 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p11 = nv_tileas.async.pipeline.create_iterator %m11 as "producer" : !nv_tileas.iter<producer>
  %c11 = nv_tileas.async.pipeline.create_iterator %m11 as "consumer" : !nv_tileas.iter<consumer>
  %a11 = nv_tileas.async.pipeline.producer_acquire %m11, %p11 : !nv_tileas.iter<producer>
  %w11 = nv_tileas.async.pipeline.consumer_wait %m11, %c11 : !nv_tileas.iter<consumer>
  %m12 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p12 = nv_tileas.async.pipeline.create_iterator %m12 as "producer" : !nv_tileas.iter<producer>
  %c12 = nv_tileas.async.pipeline.create_iterator %m12 as "consumer" : !nv_tileas.iter<consumer>
  %a12 = nv_tileas.async.pipeline.producer_acquire %m12, %p12 : !nv_tileas.iter<producer>
  %w12 = nv_tileas.async.pipeline.consumer_wait %m12, %c12 : !nv_tileas.iter<consumer>
  %m13 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p13 = nv_tileas.async.pipeline.create_iterator %m13 as "producer" : !nv_tileas.iter<producer>
  %c13 = nv_tileas.async.pipeline.create_iterator %m13 as "consumer" : !nv_tileas.iter<consumer>
  %a13 = nv_tileas.async.pipeline.producer_acquire %m13, %p13 : !nv_tileas.iter<producer>
  %w13 = nv_tileas.async.pipeline.consumer_wait %m13, %c13 : !nv_tileas.iter<consumer>
  %m14 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p14 = nv_tileas.async.pipeline.create_iterator %m14 as "producer" : !nv_tileas.iter<producer>
  %c14 = nv_tileas.async.pipeline.create_iterator %m14 as "consumer" : !nv_tileas.iter<consumer>
  %a14 = nv_tileas.async.pipeline.producer_acquire %m14, %p14 : !nv_tileas.iter<producer>
  %w14 = nv_tileas.async.pipeline.consumer_wait %m14, %c14 : !nv_tileas.iter<consumer>
  %m15 = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p15 = nv_tileas.async.pipeline.create_iterator %m15 as "producer" : !nv_tileas.iter<producer>
  %c15 = nv_tileas.async.pipeline.create_iterator %m15 as "consumer" : !nv_tileas.iter<consumer>
  %a15 = nv_tileas.async.pipeline.producer_acquire %m15, %p15 : !nv_tileas.iter<producer>
  %w15 = nv_tileas.async.pipeline.consumer_wait %m15, %c15 : !nv_tileas.iter<consumer>
  return
}
