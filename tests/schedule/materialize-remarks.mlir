// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule --remarks=text %s -o /dev/null 2>&1 | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule='use-aus=true' --remarks=text %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE

// Remarks for loops that are not materialized; the warning for a consumer without producer.

// CHECK: [[#@LINE+7]]:3: remark: [tileas-materialize-schedule] Missed materialize: no load feeds its body: the loop is left unchanged; load tiles with weak memory semantics inside the loop
// ONE: [[#@LINE+6]]:3: remark: [tileas-materialize-schedule] Missed materialize: Failed to pipeline loop; load tiles with weak memory semantics inside the loop
nv_tileaa.func @nothing_to_load(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    "test.use"() {tileas.schedule.resources = [array<i32: 7, 1, 1>]} : () -> ()
  }
  nv_tileaa.return
}

// -----

// A load whose tile is not read.
// CHECK: remark: [tileas-materialize-schedule] Missed materialize: no load feeds its body
nv_tileaa.func @dead_load(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// -----

// Agents cannot return values, so one agent executes everything.
// CHECK: remark: [tileas-materialize-schedule] Missed materialize: a result is used outside of the agents, which have no results; store the result to memory
func.func @result_leaves(%p: !nv_tileaa.memref<?x?xf16>, %n: index, %zero: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf16>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %s = arith.addf %acc, %a : tensor<64x64xf16>
    scf.yield %s : tensor<64x64xf16>
  }
  return %r : tensor<64x64xf16>
}

// -----

// CHECK: remark: [tileas-materialize-schedule] Missed materialize: a load agent and a compute agent require 8 warps; raise numWarps in nv_tileaa.kernel_spec
nv_tileaa.func @few_warps(%p: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 4 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}

// -----

// One agent cannot prefetch a load whose address is computed in the iteration.
// ONE: remark: [tileas-materialize-schedule] Missed materialize: Failed to pipeline loop; a load depends on earlier computations or stores of the same iteration
nv_tileaa.func @decided(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %x = "test.position"() {tileas.schedule.resources = [array<i32: 7, 1, 1>]} : () -> index
    %a, %ta = nv_tileas.tiled_load %view[%c0, %x] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}

// -----

// CHECK: [[#@LINE+9]]:5: warning: consumer has no producer for raw value
nv_tileaa.func @no_producer(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %first = arith.constant dense<0.0> : tensor<64x64xf16>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%same = %first) -> (tensor<64x64xf16>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a, %same) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>, tensor<64x64xf16>) -> ()
    scf.yield %same : tensor<64x64xf16>
  }
  nv_tileaa.return
}
