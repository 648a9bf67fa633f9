// RUN: orison-opt %s --tileas-assign-buffers | FileCheck %s

// The distance of slots is their size at the alignment of what fills them: 16 bytes for stores, 128 for
// TMA, 1024 where TMA fills rows of 128 bytes, after which the widest swizzle repeats.

// CHECK-LABEL: @stores
// CHECK: create_pipeline {{.*}}stride = 144 : i64
func.func @stores(%c0: index, %d: !nv_tileas.tma_desc) {
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<1x72xf16>]}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<1x72xf16>] {
  ^bb0(%slot: tensor<1x72xf16>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci : !nv_tileas.iter<consumer>
  nv_tileas.async.pipeline.consumer_release %p, %ready
  return
}

// CHECK-LABEL: @short_rows
// CHECK: create_pipeline {{.*}}stride = 256 : i64
func.func @short_rows(%c0: index, %d: !nv_tileas.tma_desc) {
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<1x72xf16>]}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<1x72xf16>] {
  ^bb0(%slot: tensor<1x72xf16>):
    %done = nv_tileas.async.tiled_tma_load %d[%c0, %c0] to %slot barrier %own {atom = #nv_tileas.atom<"tma_load_2d", box = [1, 72]>} : tensor<1x72xf16>, !nv_tileas.producer_token
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci : !nv_tileas.iter<consumer>
  nv_tileas.async.pipeline.consumer_release %p, %ready
  return
}

// CHECK-LABEL: @rows_of_128_bytes
// CHECK: create_pipeline {{.*}}stride = 1024 : i64
func.func @rows_of_128_bytes(%c0: index, %d: !nv_tileas.tma_desc) {
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<1x64xf16>]}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<1x64xf16>] {
  ^bb0(%slot: tensor<1x64xf16>):
    %done = nv_tileas.async.tiled_tma_load %d[%c0, %c0] to %slot barrier %own {atom = #nv_tileas.atom<"tma_load_2d", box = [1, 64]>} : tensor<1x64xf16>, !nv_tileas.producer_token
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci : !nv_tileas.iter<consumer>
  nv_tileas.async.pipeline.consumer_release %p, %ready
  return
}

// CHECK-LABEL: @rows_of_256_bytes
// CHECK: create_pipeline {{.*}}stride = 2048 : i64
func.func @rows_of_256_bytes(%c0: index, %d: !nv_tileas.tma_desc) {
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<8x128xf16>]}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<8x128xf16>] {
  ^bb0(%slot: tensor<8x128xf16>):
    %done = nv_tileas.async.tiled_tma_load %d[%c0, %c0] to %slot barrier %own {atom = #nv_tileas.atom<"tma_load_2d", box = [8, 128]>} : tensor<8x128xf16>, !nv_tileas.producer_token
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci : !nv_tileas.iter<consumer>
  nv_tileas.async.pipeline.consumer_release %p, %ready
  return
}

// CHECK-LABEL: @rows_of_64_bytes
// CHECK: create_pipeline {{.*}}stride = 128 : i64
func.func @rows_of_64_bytes(%c0: index, %d: !nv_tileas.tma_desc) {
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<2x32xf16>]}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<2x32xf16>] {
  ^bb0(%slot: tensor<2x32xf16>):
    %done = nv_tileas.async.tiled_tma_load %d[%c0, %c0] to %slot barrier %own {atom = #nv_tileas.atom<"tma_load_2d", box = [2, 32]>} : tensor<2x32xf16>, !nv_tileas.producer_token
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci : !nv_tileas.iter<consumer>
  nv_tileas.async.pipeline.consumer_release %p, %ready
  return
}
