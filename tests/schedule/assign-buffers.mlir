// RUN: orison-opt --allow-unregistered-dialect %s --tileas-assign-buffers | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect %s --tileas-assign-buffers | orison-opt --allow-unregistered-dialect --tileas-assign-buffers | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect %s --tileas-assign-buffers='share=schedule' | FileCheck %s --check-prefix=SHARE
// RUN: orison-opt --allow-unregistered-dialect %s --tileas-assign-buffers='share=schedule' --remarks=text 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: orison-opt --allow-unregistered-dialect %s --tileas-assign-buffers='tmem-threshold=131071' | FileCheck %s --check-prefix=THRESHOLD
// RUN: orison-opt --allow-unregistered-dialect %s --tileas-assign-buffers='machine=hopper' | FileCheck %s --check-prefix=HOPPER

// Storage is assigned by class. A ring whose storage is in shared memory stays there: 3 slots of 8 KiB,
// followed by full[0..3] and empty[0..3], 8 bytes each. A payload without storage is placed in
// tensor memory if it has rank 2, elements of whole bytes and more bytes than the threshold: 128 x
// 128 x f32 are 65,536 bytes, 128 columns of 512 bytes per slot. A mutex requires a named barrier, and
// so does a handshake of one stage without payload; barrier 0 is the whole block's.
//
// CHECK-LABEL: @classes
// CHECK-SAME: tileas.buffers = {smem = 24656 : i64, tmem_columns = 256 : i64}
// CHECK: alloc_tensor
// CHECK-NEXT: tileas.buffer = {class = "smem", mbarriers = 24576 : i64, offset = 0 : i64, slots = 3 : i32, stride = 8192 : i64}
// CHECK-NEXT: tileas.buffer = {class = "tmem", column = 0 : i64, mbarriers = 24624 : i64, slots = 2 : i32, stride = 65536 : i64}
// CHECK-NEXT: barrier = 1 : i32, {{.*}}kind = "mutex"{{.*}}tileas.buffer = {barrier = 1 : i32, class = "barrier"}
// CHECK-NEXT: tileas.buffer = {barrier = 2 : i32, class = "barrier"}
//
// Both slots together have 131,072 bytes, but the threshold applies to one: 65,536 are not more than
// 131,071, and Hopper has no tensor memory. Two slots of 64 KiB are placed first, being larger.
//
// THRESHOLD-LABEL: @classes
// THRESHOLD-SAME: tileas.buffers = {smem = 155728 : i64, tmem_columns = 0 : i64}
// THRESHOLD: tileas.buffer = {class = "smem", mbarriers = 155648 : i64, offset = 131072 : i64,
// THRESHOLD-NEXT: tileas.buffer = {class = "smem", mbarriers = 155696 : i64, offset = 0 : i64, slots = 2 : i32, stride = 65536 : i64}
// HOPPER-LABEL: @classes
// HOPPER: tileas.buffer = {class = "smem", mbarriers = 155696 : i64, offset = 0 : i64, slots = 2 : i32, stride = 65536 : i64}
nv_tileaa.func @classes() {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<3x64x64xf16, smem>
  %staged = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<3x64x64xf16, smem> {numStages = 3 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<64x64xf16>]}
  %accumulators = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<128x128xf32>]}
  %mutex = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %signal = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  "test.use"(%staged) : (!nv_tileas.pipeline) -> ()
  %p0 = nv_tileas.async.pipeline.create_iterator %staged as "producer" : !nv_tileas.iter<producer>
  %c0 = nv_tileas.async.pipeline.create_iterator %staged as "consumer" : !nv_tileas.iter<consumer>
  %p1 = nv_tileas.async.pipeline.create_iterator %accumulators as "producer" : !nv_tileas.iter<producer>
  %c1 = nv_tileas.async.pipeline.create_iterator %accumulators as "consumer" : !nv_tileas.iter<consumer>
  %p2 = nv_tileas.async.pipeline.create_iterator %mutex as "producer" : !nv_tileas.iter<producer>
  %c2 = nv_tileas.async.pipeline.create_iterator %mutex as "consumer" : !nv_tileas.iter<consumer>
  %p3 = nv_tileas.async.pipeline.create_iterator %signal as "producer" : !nv_tileas.iter<producer>
  %c3 = nv_tileas.async.pipeline.create_iterator %signal as "consumer" : !nv_tileas.iter<consumer>
  %a0 = nv_tileas.async.pipeline.producer_acquire %staged, %p0 : !nv_tileas.iter<producer>
  %w0 = nv_tileas.async.pipeline.consumer_wait %staged, %c0 : !nv_tileas.iter<consumer>
  %a1 = nv_tileas.async.pipeline.producer_acquire %accumulators, %p1 : !nv_tileas.iter<producer>
  %w1 = nv_tileas.async.pipeline.consumer_wait %accumulators, %c1 : !nv_tileas.iter<consumer>
  %a2 = nv_tileas.async.pipeline.producer_acquire %mutex, %p2 : !nv_tileas.iter<producer>
  %w2 = nv_tileas.async.pipeline.consumer_wait %mutex, %c2 : !nv_tileas.iter<consumer>
  %a3 = nv_tileas.async.pipeline.producer_acquire %signal, %p3 : !nv_tileas.iter<producer>
  %w3 = nv_tileas.async.pipeline.consumer_wait %signal, %c3 : !nv_tileas.iter<consumer>
  nv_tileaa.return
}

// In a scheduled loop, lifetimes are in cycles. At II = 16, Pipe_0 is busy in [0, 6) and Pipe_1 in
// [8, 14), each with the 4 cycles of the reader; Pipe_2 in [4, 12) overlaps both. A single agent that
// follows the schedule allows the first two to overlap in memory: 2 * 8,192 bytes, not 3. Agents that
// run independently do not, which the pass assumes by default.
//
// CHECK-LABEL: @shared
// CHECK-SAME: smem = 24624 : i64
// CHECK-COUNT-3: create_pipeline {{.*}}offset = {{0|8192|16384}} : i64
// SHARE-LABEL: @shared
// SHARE-SAME: smem = 16432 : i64
// SHARE: %[[A:.+]] = {{.*}}create_pipeline {{.*}}offset = 0 : i64
// SHARE-NEXT: %[[B:.+]] = {{.*}}create_pipeline {{.*}}offset = 0 : i64
// SHARE-NEXT: %[[C:.+]] = {{.*}}create_pipeline {{.*}}offset = 8192 : i64
// REMARK: mbarrier has wait-like users, cannot share pipeline buffer.
// REMARK: Passed share: share pipeline buffer; with=Pipe_0
// REMARK-NOT: share pipeline buffer;
func.func @shared(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pipe0 = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x64xf16>]}
  %pipe1 = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x64xf16>]}
  %pipe2 = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x64xf16>]}
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe0 as "producer" : !nv_tileas.iter<producer>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe0 as "consumer" : !nv_tileas.iter<consumer>
  %p1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "producer" : !nv_tileas.iter<producer>
  %q1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "consumer" : !nv_tileas.iter<consumer>
  %p2 = nv_tileas.async.pipeline.create_iterator %pipe2 as "producer" : !nv_tileas.iter<producer>
  %q2 = nv_tileas.async.pipeline.create_iterator %pipe2 as "consumer" : !nv_tileas.iter<consumer>
  scf.for %i = %c0 to %n step %c1 {
    %w0 = nv_tileas.async.pipeline.produce_one %pipe0, %p0 payload [tensor<64x64xf16>] : !nv_tileas.iter<producer> attributes {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 2 : i32} {
    ^bb0(%buffer: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
    %r0 = nv_tileas.async.pipeline.consume_one %pipe0, %q0 consumer 0 payload [tensor<64x64xf16>] : !nv_tileas.iter<consumer> attributes {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 2 : i32, tileas.schedule.latency = 4 : i32} {
    ^bb0(%tile: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
    %w2 = nv_tileas.async.pipeline.produce_one %pipe2, %p2 payload [tensor<64x64xf16>] : !nv_tileas.iter<producer> attributes {nv_tile.aws.order = 2 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 4 : i32, tileas.schedule.latency = 2 : i32} {
    ^bb0(%buffer: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
    %w1 = nv_tileas.async.pipeline.produce_one %pipe1, %p1 payload [tensor<64x64xf16>] : !nv_tileas.iter<producer> attributes {nv_tile.aws.order = 3 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 8 : i32, tileas.schedule.latency = 2 : i32} {
    ^bb0(%buffer: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
    %r2 = nv_tileas.async.pipeline.consume_one %pipe2, %q2 consumer 0 payload [tensor<64x64xf16>] : !nv_tileas.iter<consumer> attributes {nv_tile.aws.order = 4 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 8 : i32, tileas.schedule.latency = 4 : i32} {
    ^bb0(%tile: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
    %r1 = nv_tileas.async.pipeline.consume_one %pipe1, %q1 consumer 0 payload [tensor<64x64xf16>] : !nv_tileas.iter<consumer> attributes {nv_tile.aws.order = 5 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 10 : i32, tileas.schedule.latency = 4 : i32} {
    ^bb0(%tile: tensor<64x64xf16>):
      nv_tileas.async.pipeline.yield
    }
  } {tileas.schedule = {ii = 16 : i32, stages = 1 : i32}}
  return
}

// Two pipelines over one allocation share one ring.
//
// CHECK-LABEL: @one_allocation
// CHECK-SAME: smem = 16448 : i64
// CHECK: create_pipeline {{.*}}mbarriers = 16384 : i64, offset = 0 : i64
// CHECK: create_pipeline {{.*}}mbarriers = 16416 : i64, offset = 0 : i64
func.func @one_allocation() {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x64x64xf16, smem>
  %again = nv_tileas.view %ring : !nv_tileas.tiled_view<2x64x64xf16, smem> -> !nv_tileas.tiled_view<2x64x64xf16, smem>
  %pipe0 = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x64x64xf16, smem> {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %pipe1 = nv_tileas.async.pipeline.create_pipeline %again : !nv_tileas.tiled_view<2x64x64xf16, smem> {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p0 = nv_tileas.async.pipeline.create_iterator %pipe0 as "producer" : !nv_tileas.iter<producer>
  %q0 = nv_tileas.async.pipeline.create_iterator %pipe0 as "consumer" : !nv_tileas.iter<consumer>
  %p1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "producer" : !nv_tileas.iter<producer>
  %q1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "consumer" : !nv_tileas.iter<consumer>
  %a0 = nv_tileas.async.pipeline.producer_acquire %pipe0, %p0 : !nv_tileas.iter<producer>
  %w0 = nv_tileas.async.pipeline.consumer_wait %pipe0, %q0 : !nv_tileas.iter<consumer>
  %a1 = nv_tileas.async.pipeline.producer_acquire %pipe1, %p1 : !nv_tileas.iter<producer>
  %w1 = nv_tileas.async.pipeline.consumer_wait %pipe1, %q1 : !nv_tileas.iter<consumer>
  return
}

// IR without a pipeline is unchanged.
//
// CHECK-LABEL: func.func @nothing() {
func.func @nothing() {
  return
}
