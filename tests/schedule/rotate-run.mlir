// RUN: orison-opt --tileas-generate-schedule=machine=hopper --tileas-materialize-schedule=machine=hopper --tileas-verify-pipelines %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: orison-interpret %t.mlir --entry attention --tiles 13 --args='[null, null, null, null, 1]' --random-inputs 3 --interleavings 20 --compare-with %s | FileCheck %s --check-prefix=SAME
// RUN: orison-interpret %t.mlir --entry attention --tiles 13 --args='[null, null, null, null, 2]' --random-inputs 3 --interleavings 20 --compare-with %s | FileCheck %s --check-prefix=SAME
// RUN: orison-interpret %t.mlir --entry attention --tiles 13 --args='[null, null, null, null, 5]' --random-inputs 3 --interleavings 20 --compare-with %s | FileCheck %s --check-prefix=SAME
// RUN: orison-interpret %t.mlir --entry attention --tiles 13 --args='[null, null, null, null, 12]' --random-inputs 3 --interleavings 20 --compare-with %s | FileCheck %s --check-prefix=SAME

// Attention with small tiles: several stages, carried values that are read in two of them, two rings. The
// memory is that of the original for fewer iterations than stages, and for more.
// At most eight iterations overlap, although the schedule has 51 stages.
// CHECK: scf.if
// CHECK: nv_tileas.async.dot
// CHECK: } else {
// CHECK-NEXT: scf.for
// SAME: 20 interleavings, {{.*}}: same memory
nv_tileaa.func @attention(
    %Q: !nv_tileaa.memref<?x?xf16>, %K: !nv_tileaa.memref<?x?xf16>,
    %V: !nv_tileaa.memref<?x?xf16>, %O: !nv_tileaa.memref<?x?xf32>, %blocks: index
  ) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no_score = arith.constant dense<0.000000e+00> : tensor<16x8xf32>
  %no_output = arith.constant dense<0.000000e+00> : tensor<16x8xf32>
  %minus_infinity = arith.constant dense<0xFF800000> : tensor<16xf32>
  %no_sum = arith.constant dense<0.000000e+00> : tensor<16xf32>
  %scale = arith.constant dense<1.803000e-01> : tensor<16x8xf32>
  %row = nv_tileaa.get_program_id axis 0
  %token = nv_tileaa.create_mem_token
  %Q_tiles = nv_tileaa.block_tile %Q : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<16x8xf16, gmem>
  %K_tiles = nv_tileaa.block_tile %K : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<8x8xf16, gmem>
  %V_tiles = nv_tileaa.block_tile %V : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<8x8xf16, gmem>
  %O_tiles = nv_tileaa.block_tile %O : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x8xf32, gmem>
  %q, %q_token = nv_tileas.tiled_load %Q_tiles[%row, %c0] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"tma_load_2d", box = [16, 8]>, in_bounds = array<i1: true, true>,
      mem_semantic = "weak"
    } : !nv_tileaa.tiled_view<16x8xf16, gmem> -> tensor<16x8xf16>, !nv_tileaa.mem_token
  %max_end, %sum_end, %output_end = scf.for %block = %c0 to %blocks step %c1 iter_args(%max = %minus_infinity, %sum = %no_sum, %output = %no_output) -> (tensor<16xf32>, tensor<16xf32>, tensor<16x8xf32>) {
    %k, %k_token = nv_tileas.tiled_load %K_tiles[%block, %c0] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [8, 8]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<8x8xf16, gmem> -> tensor<8x8xf16>, !nv_tileaa.mem_token
    %v, %v_token = nv_tileas.tiled_load %V_tiles[%block, %c0] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [8, 8]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<8x8xf16, gmem> -> tensor<8x8xf16>, !nv_tileaa.mem_token
    %scores = nv_tileas.dot %q, %k, %no_score {
        atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">
      } : tensor<16x8xf16>, tensor<8x8xf16>, tensor<16x8xf32> -> tensor<16x8xf32>
    %scaled = arith.mulf %scores, %scale : tensor<16x8xf32>
    %block_max = nv_tileas.reduce %scaled axis 1 : tensor<16x8xf32> -> tensor<16xf32> {
    ^bb0(%x: f32, %y: f32):
      %both = arith.maximumf %x, %y : f32
      nv_tileas.yield %both : f32
    }
    %next_max = arith.maximumf %max, %block_max : tensor<16xf32>
    %max_tile = "cuda_tile.broadcast"(%next_max) {
        tileas.schedule.cost_of = "nv_tileas.view"
      } : (tensor<16xf32>) -> tensor<16x8xf32>
    %centered = arith.subf %scaled, %max_tile : tensor<16x8xf32>
    %p = "cuda_tile.exp2"(%centered) {
        tileas.schedule.cost_of = "math.exp2"
      } : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %shift = arith.subf %max, %next_max : tensor<16xf32>
    %alpha = "cuda_tile.exp2"(%shift) {
        tileas.schedule.cost_of = "math.exp2"
      } : (tensor<16xf32>) -> tensor<16xf32>
    %block_sum = nv_tileas.reduce %p axis 1 : tensor<16x8xf32> -> tensor<16xf32> {
    ^bb0(%x: f32, %y: f32):
      %both = arith.addf %x, %y : f32
      nv_tileas.yield %both : f32
    }
    %sum_scaled = arith.mulf %sum, %alpha : tensor<16xf32>
    %next_sum = arith.addf %sum_scaled, %block_sum : tensor<16xf32>
    %alpha_tile = "cuda_tile.broadcast"(%alpha) {
        tileas.schedule.cost_of = "nv_tileas.view"
      } : (tensor<16xf32>) -> tensor<16x8xf32>
    %output_scaled = arith.mulf %output, %alpha_tile : tensor<16x8xf32>
    %p_half = arith.truncf %p : tensor<16x8xf32> to tensor<16x8xf16>
    %next_output = nv_tileas.dot %p_half, %v, %output_scaled {
        atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16", b = "kn">
      } : tensor<16x8xf16>, tensor<8x8xf16>, tensor<16x8xf32> -> tensor<16x8xf32>
    scf.yield %next_max, %next_sum, %next_output : tensor<16xf32>, tensor<16xf32>, tensor<16x8xf32>
  }
  %sum_tile = "cuda_tile.broadcast"(%sum_end) : (tensor<16xf32>) -> tensor<16x8xf32>
  %normal = arith.divf %output_end, %sum_tile : tensor<16x8xf32>
  %stored = nv_tileas.tiled_store %normal, %O_tiles[%row, %c0] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak"
    } : tensor<16x8xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

