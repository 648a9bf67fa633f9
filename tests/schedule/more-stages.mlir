// The number of stages is limited by the ring slots that fit in shared memory, unless a schedule with
// more stages is shorter and its rings fit: a slot is free again when its tile has been read.
//
// RUN: orison-opt --allow-unregistered-dialect --machine=hopper --tileas-generate-schedule='strategy=cost-based' --tileas-verify-schedule %s | FileCheck %s

// A tile of 65,536 bytes takes 1,024 cycles to load, and 3 slots fit. It is read 1,503 cycles after the
// load starts, and what follows takes 8 + 4,000 more. Three stages would need (5,511 + 1) / 3 cycles,
// but the tile is read in the second stage: two slots are enough at the resource bound.
// CHECK-LABEL: @read_early
// CHECK: ii = 1024 : i32
nv_tileaa.func @read_early(%p: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, computeCapability = 90 : i32, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x256xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%i, %c0] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 256]>, in_bounds = array<i1: true, true>, mem_semantic = "weak"} : !nv_tileaa.tiled_view<128x256xf16, gmem> -> tensor<128x256xf16>, !nv_tileaa.mem_token
    %s = "other.read"(%a) {tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 5, 1, 1>]} : (tensor<128x256xf16>) -> f32
    %x = "other.slow"(%s) {tileas.schedule.latency = 4000 : i32, tileas.schedule.resources = [array<i32: 2, 1, 1>]} : (f32) -> f32
    "other.use"(%x) {tileas.schedule.latency = 1 : i32, tileas.schedule.resources = [array<i32: 3, 1, 1>]} : (f32) -> ()
  }
  nv_tileaa.return
}

// Here the tile is read both at first and after 4,000 cycles, so at the resource bound a slot would be
// in use for more than five iterations.
// CHECK-LABEL: @read_late
// CHECK: ii = 1838 : i32
// CHECK-SAME: stages = 3 : i32
nv_tileaa.func @read_late(%p: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, computeCapability = 90 : i32, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x256xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%i, %c0] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 256]>, in_bounds = array<i1: true, true>, mem_semantic = "weak"} : !nv_tileaa.tiled_view<128x256xf16, gmem> -> tensor<128x256xf16>, !nv_tileaa.mem_token
    %s = "other.read"(%a) {tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 5, 1, 1>]} : (tensor<128x256xf16>) -> f32
    %x = "other.slow"(%s) {tileas.schedule.latency = 4000 : i32, tileas.schedule.resources = [array<i32: 2, 1, 1>]} : (f32) -> f32
    "other.use"(%x, %a) {tileas.schedule.latency = 1 : i32, tileas.schedule.resources = [array<i32: 3, 1, 1>]} : (f32, tensor<128x256xf16>) -> ()
  }
  nv_tileaa.return
}
