// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --tileas-assign-buffers %s

// The lifetime of a pipeline without a reader has no end.
func.func @no_consumer() {
  // expected-error @+2 {{'nv_tileas.async.pipeline.create_pipeline' op fails to resolve lifetime: it has no consumer}}
  // expected-note @+1 {{phase 1, value 0 (Pipe_0), outside of scheduled loops}}
  %pipe = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<64x64xf16>]}
  %p = nv_tileas.async.pipeline.create_iterator %pipe as "producer" : !nv_tileas.iter<producer>
  %a = nv_tileas.async.pipeline.producer_acquire %pipe, %p : !nv_tileas.iter<producer>
  return
}

// -----

func.func @no_producer() {
  // expected-error @+2 {{fails to resolve lifetime: it has no producer}}
  // expected-note @+1 {{phase 1}}
  %pipe = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<64x64xf16>]}
  %c = nv_tileas.async.pipeline.create_iterator %pipe as "consumer" : !nv_tileas.iter<consumer>
  %w = nv_tileas.async.pipeline.consumer_wait %pipe, %c : !nv_tileas.iter<consumer>
  return
}

// -----

// Storage from outside the function has no allocation to place.
// expected-note @+1 {{the storage is defined here}}
func.func @no_root(%ring: !nv_tileas.tiled_view<2x64x64xf16, smem>) {
  // expected-error @+1 {{fails to resolve lifetime: its storage is not allocated}}
  %pipe = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x64x64xf16, smem> {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  return
}

// -----

func.func @made_by_others() {
  // expected-note @+1 {{the storage is defined here}}
  %ring = "test.storage"() : () -> !nv_tileas.tiled_view<2x64x64xf16, smem>
  // expected-error @+1 {{fails to resolve lifetime: its storage is not allocated}}
  %pipe = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x64x64xf16, smem> {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  return
}

// -----

func.func @unknown_size() {
  // expected-error @+1 {{fails to assign smem buffer: the size of its payload is unknown}}
  %pipe = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<?x64xf16>]}
  return
}

// -----

// 8 slots of 32 KiB are more than the 227 KiB of shared memory.
func.func @shared_memory_is_full() {
  // expected-error @+6 {{fails to assign smem buffer: the rings require 262272 bytes of shared memory, but 232448 are available}}
  // expected-note @+5 {{phase 3, value 0 (Pipe_0), outside of scheduled loops}}
  // expected-note @+4 {{Pipe_0 needs 8 slots of 32768 bytes; rank 2, 16 bits per element}}
  // expected-note @+3 {{smem [0, 262144): Pipe_0, 8 slots of 32768 bytes}}
  // expected-note @+2 {{smem [262144, 262272): full and empty mbarriers of Pipe_0}}
  // expected-note @+1 {{barrier 1: Mutex_0}}
  %pipe = nv_tileas.async.pipeline.create_pipeline {numStages = 8 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<128x64xf16>, tensor<128x64xf16>]}
  %mutex = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p = nv_tileas.async.pipeline.create_iterator %pipe as "producer" : !nv_tileas.iter<producer>
  %c = nv_tileas.async.pipeline.create_iterator %pipe as "consumer" : !nv_tileas.iter<consumer>
  %a = nv_tileas.async.pipeline.producer_acquire %pipe, %p : !nv_tileas.iter<producer>
  %w = nv_tileas.async.pipeline.consumer_wait %pipe, %c : !nv_tileas.iter<consumer>
  %mp = nv_tileas.async.pipeline.create_iterator %mutex as "producer" : !nv_tileas.iter<producer>
  %mc = nv_tileas.async.pipeline.create_iterator %mutex as "consumer" : !nv_tileas.iter<consumer>
  %ma = nv_tileas.async.pipeline.producer_acquire %mutex, %mp : !nv_tileas.iter<producer>
  %mw = nv_tileas.async.pipeline.consumer_wait %mutex, %mc : !nv_tileas.iter<consumer>
  return
}

// -----

// 5 accumulators of 128 columns are more than the 512 columns of tensor memory.
func.func @tensor_memory_is_full() {
  // expected-error @+5 {{fails to assign tmem buffer: the rings require 640 columns of tensor memory, but 512 are available}}
  // expected-note @+4 {{phase 3, value 0 (Pipe_0)}}
  // expected-note @+3 {{Pipe_0 needs 5 slots of 65536 bytes; rank 2, 32 bits per element}}
  // expected-note @+2 {{smem [0, 80): full and empty mbarriers of Pipe_0}}
  // expected-note @+1 {{tmem columns [0, 640): Pipe_0, 5 slots}}
  %pipe = nv_tileas.async.pipeline.create_pipeline {numStages = 5 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<128x128xf32>]}
  %p = nv_tileas.async.pipeline.create_iterator %pipe as "producer" : !nv_tileas.iter<producer>
  %c = nv_tileas.async.pipeline.create_iterator %pipe as "consumer" : !nv_tileas.iter<consumer>
  %a = nv_tileas.async.pipeline.producer_acquire %pipe, %p : !nv_tileas.iter<producer>
  %w = nv_tileas.async.pipeline.consumer_wait %pipe, %c : !nv_tileas.iter<consumer>
  return
}

// -----

// Hopper has no tensor memory for a ring in tensor memory.
nv_tileaa.func @no_tensor_memory() attributes {nv_tileaa.kernel_spec = {computeCapability = 90 : i32}} {
  %ring = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<2x128x128xf32, tmem>
  // expected-error @+2 {{fails to assign tmem buffer: the target has no tensor memory}}
  // expected-note @+1 {{phase 3}}
  %pipe = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x128x128xf32, tmem> {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p = nv_tileas.async.pipeline.create_iterator %pipe as "producer" : !nv_tileas.iter<producer>
  %c = nv_tileas.async.pipeline.create_iterator %pipe as "consumer" : !nv_tileas.iter<consumer>
  %a = nv_tileas.async.pipeline.producer_acquire %pipe, %p : !nv_tileas.iter<producer>
  %w = nv_tileas.async.pipeline.consumer_wait %pipe, %c : !nv_tileas.iter<consumer>
  nv_tileaa.return
}

// -----

// Both pipelines name the same ring, with different numbers of slots.
func.func @two_of_one() {
  %ring = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<3x64x64xf16, smem>
  // expected-note @+1 {{the other one is here}}
  %pipe0 = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<3x64x64xf16, smem> {numStages = 3 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  // expected-error @+1 {{unable to merge two different pipelines: 3 slots of 8192 bytes, and 2 slots of 8192 bytes, over one allocation}}
  %pipe1 = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<3x64x64xf16, smem> {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  return
}

// -----

// Storage, flag and loads agree on the memory of a ring.
func.func @shared_and_tensor() {
  %ring = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<2x128x128xf32, tmem>
  // expected-error @+2 {{'nv_tileas.async.pipeline.create_pipeline' op can not find common memKind among pipeline alias group}}
  // expected-note @+1 {{its storage is in tmem, and sharedMem is set}}
  %pipe = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x128x128xf32, tmem> {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true}
  %p = nv_tileas.async.pipeline.create_iterator %pipe as "producer" : !nv_tileas.iter<producer>
  %c = nv_tileas.async.pipeline.create_iterator %pipe as "consumer" : !nv_tileas.iter<consumer>
  %a = nv_tileas.async.pipeline.producer_acquire %pipe, %p : !nv_tileas.iter<producer>
  nv_tileas.async.pipeline.producer_commit %pipe, %a
  %w = nv_tileas.async.pipeline.consumer_wait %pipe, %c : !nv_tileas.iter<consumer>
  nv_tileas.async.pipeline.consumer_release %pipe, %w
  return
}

// -----

func.func @global() {
  %ring = nv_tileas.alloc_tensor in "gmem" : !nv_tileas.tiled_view<2x64x64xf32, gmem>
  // expected-error @+2 {{can not find common memKind among pipeline alias group}}
  // expected-note @+1 {{its storage is in gmem, which holds no stages}}
  %pipe = nv_tileas.async.pipeline.create_pipeline %ring : !nv_tileas.tiled_view<2x64x64xf32, gmem> {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p = nv_tileas.async.pipeline.create_iterator %pipe as "producer" : !nv_tileas.iter<producer>
  %c = nv_tileas.async.pipeline.create_iterator %pipe as "consumer" : !nv_tileas.iter<consumer>
  %a = nv_tileas.async.pipeline.producer_acquire %pipe, %p : !nv_tileas.iter<producer>
  nv_tileas.async.pipeline.producer_commit %pipe, %a
  %w = nv_tileas.async.pipeline.consumer_wait %pipe, %c : !nv_tileas.iter<consumer>
  nv_tileas.async.pipeline.consumer_release %pipe, %w
  return
}
