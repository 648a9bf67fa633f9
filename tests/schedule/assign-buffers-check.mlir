// RUN: orison-opt --machine=page --split-input-file --verify-diagnostics --tileas-assign-buffers='check' %s
// RUN: orison-opt --machine=page %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-materialize-schedule='rotate=false' --tileas-assign-buffers | orison-opt --machine=page --tileas-assign-buffers='check' | FileCheck %s
//
// The ring created by materialization: 2 slots of two tiles of 16 KiB, then 2 full and 2 empty
// mbarriers.
//
// CHECK: tileas.buffers = {smem = 65568 : i64, tmem_columns = 0 : i64}
// CHECK: create_pipeline {{.*}}tileas.buffer = {class = "smem", mbarriers = 65536 : i64, offset = 0 : i64, slots = 2 : i32, stride = 32768 : i64}

// An assignment written by hand is checked: here it is valid.
func.func @right() attributes {tileas.buffers = {smem = 32800 : i64, tmem_columns = 0 : i64}} {
  %pipe = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x64xf16>], tileas.buffer = {class = "smem", offset = 16384 : i64, slots = 2 : i32, stride = 8192 : i64, mbarriers = 0 : i64}}
  %p = nv_tileas.async.pipeline.create_iterator %pipe as "producer" : !nv_tileas.iter<producer>
  %c = nv_tileas.async.pipeline.create_iterator %pipe as "consumer" : !nv_tileas.iter<consumer>
  %a = nv_tileas.async.pipeline.producer_acquire %pipe, %p : !nv_tileas.iter<producer>
  %w = nv_tileas.async.pipeline.consumer_wait %pipe, %c : !nv_tileas.iter<consumer>
  return
}

// -----

// A function without assigned buffers is not checked.
// expected-warning @-3 {{pass 'tileas-assign-buffers' found nothing to do: no function has assigned buffers}}
func.func @unassigned() {
  %pipe = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x64xf16>]}
  return
}

// -----

func.func @slots() attributes {tileas.buffers = {smem = 32800 : i64, tmem_columns = 0 : i64}} {
  // expected-error @+1 {{buffers are not valid: Pipe_0: needs 2 slots, but has 1}}
  %pipe = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x64xf16>], tileas.buffer = {class = "smem", offset = 0 : i64, slots = 1 : i32, stride = 8192 : i64, mbarriers = 16384 : i64}}
  %p = nv_tileas.async.pipeline.create_iterator %pipe as "producer" : !nv_tileas.iter<producer>
  %c = nv_tileas.async.pipeline.create_iterator %pipe as "consumer" : !nv_tileas.iter<consumer>
  %a = nv_tileas.async.pipeline.producer_acquire %pipe, %p : !nv_tileas.iter<producer>
  %w = nv_tileas.async.pipeline.consumer_wait %pipe, %c : !nv_tileas.iter<consumer>
  return
}

// -----

// The mbarriers of the second overlap the ring of the first.
func.func @overlap() attributes {tileas.buffers = {smem = 32800 : i64, tmem_columns = 0 : i64}} {
  // expected-error @+1 {{buffers are not valid: Pipe_0: Pipe_0 and Pipe_1 overlap}}
  %pipe = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x64xf16>], tileas.buffer = {class = "smem", offset = 0 : i64, slots = 1 : i32, stride = 8192 : i64, mbarriers = 20000 : i64}}
  %p = nv_tileas.async.pipeline.create_iterator %pipe as "producer" : !nv_tileas.iter<producer>
  %c = nv_tileas.async.pipeline.create_iterator %pipe as "consumer" : !nv_tileas.iter<consumer>
  %a = nv_tileas.async.pipeline.producer_acquire %pipe, %p : !nv_tileas.iter<producer>
  %w = nv_tileas.async.pipeline.consumer_wait %pipe, %c : !nv_tileas.iter<consumer>
  %pipe1 = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, payload = [tensor<64x64xf16>], tileas.buffer = {class = "smem", offset = 8192 : i64, slots = 1 : i32, stride = 8192 : i64, mbarriers = 4096 : i64}}
  %p1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "producer" : !nv_tileas.iter<producer>
  %c1 = nv_tileas.async.pipeline.create_iterator %pipe1 as "consumer" : !nv_tileas.iter<consumer>
  %a1 = nv_tileas.async.pipeline.producer_acquire %pipe1, %p1 : !nv_tileas.iter<producer>
  %w1 = nv_tileas.async.pipeline.consumer_wait %pipe1, %c1 : !nv_tileas.iter<consumer>
  return
}

// -----

func.func @barrier_of_the_block() attributes {tileas.buffers = {smem = 0 : i64, tmem_columns = 0 : i64}} {
  // expected-error @+1 {{buffers are not valid: Mutex_0: Mutex_ barrier index out of range}}
  %pipe = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, tileas.buffer = {class = "barrier", barrier = 0 : i32}}
  %p = nv_tileas.async.pipeline.create_iterator %pipe as "producer" : !nv_tileas.iter<producer>
  %c = nv_tileas.async.pipeline.create_iterator %pipe as "consumer" : !nv_tileas.iter<consumer>
  %a = nv_tileas.async.pipeline.producer_acquire %pipe, %p : !nv_tileas.iter<producer>
  %w = nv_tileas.async.pipeline.consumer_wait %pipe, %c : !nv_tileas.iter<consumer>
  return
}

// -----

func.func @missing() attributes {tileas.buffers = {smem = 0 : i64, tmem_columns = 0 : i64}} {
  // expected-error @+1 {{has no 'tileas.buffer' for Mutex_0, though buffers were assigned}}
  %pipe = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p = nv_tileas.async.pipeline.create_iterator %pipe as "producer" : !nv_tileas.iter<producer>
  %c = nv_tileas.async.pipeline.create_iterator %pipe as "consumer" : !nv_tileas.iter<consumer>
  %a = nv_tileas.async.pipeline.producer_acquire %pipe, %p : !nv_tileas.iter<producer>
  %w = nv_tileas.async.pipeline.consumer_wait %pipe, %c : !nv_tileas.iter<consumer>
  return
}

// -----

func.func @malformed() attributes {tileas.buffers = {smem = 0 : i64, tmem_columns = 0 : i64}} {
  // expected-error @+1 {{attribute 'tileas.buffer' does not describe the buffer of Mutex_0}}
  %pipe = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, tileas.buffer = {class = "gmem"}}
  %p = nv_tileas.async.pipeline.create_iterator %pipe as "producer" : !nv_tileas.iter<producer>
  %c = nv_tileas.async.pipeline.create_iterator %pipe as "consumer" : !nv_tileas.iter<consumer>
  %a = nv_tileas.async.pipeline.producer_acquire %pipe, %p : !nv_tileas.iter<producer>
  %w = nv_tileas.async.pipeline.consumer_wait %pipe, %c : !nv_tileas.iter<consumer>
  return
}

// -----

// expected-error @+1 {{attribute 'tileas.buffers' must be a dictionary with a non-negative i64 'smem'}}
func.func @no_totals() attributes {tileas.buffers = 3 : i32} {
  %pipe = nv_tileas.async.pipeline.create_pipeline {kind = "mutex", numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8}
  %p = nv_tileas.async.pipeline.create_iterator %pipe as "producer" : !nv_tileas.iter<producer>
  %c = nv_tileas.async.pipeline.create_iterator %pipe as "consumer" : !nv_tileas.iter<consumer>
  %a = nv_tileas.async.pipeline.producer_acquire %pipe, %p : !nv_tileas.iter<producer>
  %w = nv_tileas.async.pipeline.consumer_wait %pipe, %c : !nv_tileas.iter<consumer>
  return
}
