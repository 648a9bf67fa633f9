// RUN: orison-opt --machine=page --allow-unregistered-dialect --split-input-file --verify-diagnostics --tileas-generate-schedule --tileas-materialize-schedule %s

// IR that cannot be materialized is an error that names the operation.

// 2 slots of 256 KiB and their mbarriers are more than the 227 KiB of shared memory.
nv_tileaa.func @shared_memory(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %big = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<256x512xf16, gmem>
  // expected-note @+5 {{phase 3, value 0 (Pipe_0), II 9, 1 stages}}
  // expected-note @+4 {{Pipe_0 needs 2 slots of 262144 bytes}}
  // expected-note @+3 {{smem [0, 524288): Pipe_0, 2 slots of 262144 bytes}}
  // expected-note @+2 {{smem [524288, 524320): full and empty mbarriers of Pipe_0}}
  // expected-error @+1 {{fails to assign smem buffer: the rings require 524320 bytes of shared memory, but 232448 are available}}
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %big[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [256, 512]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<256x512xf16, gmem> -> tensor<256x512xf16>, !nv_tileaa.mem_token
    "test.use"(%a) {tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<256x512xf16>) -> ()
  }
  nv_tileaa.return
}

// -----

// The result of `tileas-assign-buffers` is checked: here it has fewer slots than the two that a ring
// between two agents requires.
nv_tileaa.func @few_slots(%p: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {tileas.buffers = {smem = 16400 : i64, tmem_columns = 0 : i64}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  // expected-error @+1 {{buffers are not valid: Pipe_0: needs 2 slots, but has 1}}
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
  } {tileas.buffers = [{class = "smem", mbarriers = 16384 : i64, offset = 0 : i64, slots = 1 : i32, stride = 8192 : i64}]}
  nv_tileaa.return
}

// -----

// As many bindings as the loop has pipelines.
nv_tileaa.func @stale_buffers(%p: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {tileas.buffers = {smem = 0 : i64, tmem_columns = 0 : i64}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  // expected-error @+1 {{has no 'tileas.buffers' for Pipe_0, though buffers were assigned}}
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
  } {tileas.buffers = []}
  nv_tileaa.return
}

// -----

// The store must complete before the next iteration's load, so there is a mutex, and barrier 0 is
// the whole block's.
nv_tileaa.func @barrier_zero(%p: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {tileas.buffers = {smem = 16416 : i64, tmem_columns = 0 : i64}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  // expected-error @+1 {{buffers are not valid: Mutex_0}}
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %t) -> (!nv_tileaa.mem_token) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %before : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %done = nv_tileas.tiled_store %a, %view[%c0, %i] token %ta : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
    scf.yield %done : !nv_tileaa.mem_token
  } {tileas.buffers = [{class = "smem", mbarriers = 16384 : i64, offset = 0 : i64, slots = 2 : i32, stride = 8192 : i64}, {class = "barrier", barrier = 0 : i32}]}
  nv_tileaa.return
}

// -----

// A coordinate of an unsized type cannot be passed to the load agent.
nv_tileaa.func @unsized_value(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+1 {{'test.memory' op cannot pass a value of type '!nv_tileaa.memref<?x?xf16>' to another agent: its size is unknown}}
    %q = "test.memory"() {tileas.schedule.resources = [array<i32: 7, 1, 1>]} : () -> !nv_tileaa.memref<?x?xf16>
    %view = nv_tileaa.block_tile %q : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}
