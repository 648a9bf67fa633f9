// Flash attention, forward and causal, with heads of 128: each block of 128 queries reads the blocks of keys up
// to its own. In the last one, keys after the query are masked out.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s --check-prefix=PARSED
// RUN: orison-opt --machine=hopper %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=HOPPER
// RUN: orison-opt --machine=blackwell %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=BLACKWELL
// RUN: orison-opt %s --tileas-generate-schedule --tileas-materialize-schedule --tileas-verify-pipelines | FileCheck %s --check-prefix=AGENTS
//
// PARSED: nv_tileas.generate : tensor<128x128xi1>
// PARSED: arith.select
// PARSED: math.exp2
//
// Two products of 128 x 128 x 128 at 2,048 multiplications a cycle take 2,048 cycles on Hopper; the
// 16,384 + 128 exponentials take half of that, 1,032.
//
// HOPPER: ii = 2048 : i32, mii = {{.*}}resource = 2048 : i32, self = 1024 : i32}, proven = true
//
// On Blackwell the products take half as long, 1,024 cycles, and the exponentials still 1,032. More
// than both are the instructions issued: 128 cycles for each of eleven on 16,384 elements, 1,408.
//
// BLACKWELL: ii = 14{{[0-9]+}} : i32, mii = {{.*}}resource = 14{{[0-9]+}} : i32, self = 1024 : i32}, proven = true
//
// The mask depends on the number of the block, which both agents have.
//
// AGENTS-COUNT-2: create_pipeline
// AGENTS: agent_switch
// AGENTS-COUNT-2: producer_acquire
// AGENTS: }, {
// AGENTS: scf.for
// AGENTS-DAG: nv_tileas.generate
// AGENTS-DAG: dot {{.*}}b = "nk"
// AGENTS-DAG: dot {{.*}}b = "kn"
// AGENTS: scf.yield
// AGENTS: nv_tileas.tiled_store

nv_tileaa.func @attention_causal(
    %Q: !nv_tileaa.memref<?x?xf16>, %K: !nv_tileaa.memref<?x?xf16>,
    %V: !nv_tileaa.memref<?x?xf16>, %O: !nv_tileaa.memref<?x?xf16>
  ) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no_score = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
  %no_output = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
  %masked_out = arith.constant dense<0xFF800000> : tensor<128x128xf32>
  %minus_infinity = arith.constant dense<0xFF800000> : tensor<128xf32>
  %no_sum = arith.constant dense<0.000000e+00> : tensor<128xf32>
  %scale = arith.constant dense<1.275000e-01> : tensor<128x128xf32>
  %row = nv_tileaa.get_program_id axis 0
  %blocks = arith.addi %row, %c1 : index
  %token = nv_tileaa.create_mem_token
  %Q_tiles = nv_tileaa.block_tile %Q : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x128xf16, gmem>
  %K_tiles = nv_tileaa.block_tile %K : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x128xf16, gmem>
  %V_tiles = nv_tileaa.block_tile %V : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x128xf16, gmem>
  %O_tiles = nv_tileaa.block_tile %O : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x128xf16, gmem>
  %q, %q_token = nv_tileas.tiled_load %Q_tiles[%row, %c0] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"tma_load_2d", box = [128, 128]>, in_bounds = array<i1: true, true>,
      mem_semantic = "weak"
    } : !nv_tileaa.tiled_view<128x128xf16, gmem> -> tensor<128x128xf16>, !nv_tileaa.mem_token
  %max_end, %sum_end, %output_end = scf.for %block = %c0 to %blocks step %c1 iter_args(%max = %minus_infinity, %sum = %no_sum, %output = %no_output) -> (tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>) {
    %k, %k_token = nv_tileas.tiled_load %K_tiles[%block, %c0] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [128, 128]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<128x128xf16, gmem> -> tensor<128x128xf16>, !nv_tileaa.mem_token
    %v, %v_token = nv_tileas.tiled_load %V_tiles[%block, %c0] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [128, 128]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<128x128xf16, gmem> -> tensor<128x128xf16>, !nv_tileaa.mem_token
    %scores = nv_tileas.dot %q, %k, %no_score {
        atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16", b = "nk">
      } : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %earlier = arith.cmpi ult, %block, %row : index
    %visible = nv_tileas.generate : tensor<128x128xi1> {
    ^bb0(%query: index, %key: index):
      %not_later = arith.cmpi ule, %key, %query : index
      %seen = arith.ori %earlier, %not_later : i1
      nv_tileas.yield %seen : i1
    }
    %scaled = arith.mulf %scores, %scale : tensor<128x128xf32>
    %masked = arith.select %visible, %scaled, %masked_out : tensor<128x128xi1>, tensor<128x128xf32>
    %block_max = nv_tileas.reduce %masked axis 1 : tensor<128x128xf32> -> tensor<128xf32> {
    ^bb0(%x: f32, %y: f32):
      %both = arith.maximumf %x, %y : f32
      nv_tileas.yield %both : f32
    }
    %next_max = arith.maximumf %max, %block_max : tensor<128xf32>
    %max_tile = "cuda_tile.broadcast"(%next_max) {
        tileas.schedule.cost_of = "nv_tileas.view"
      } : (tensor<128xf32>) -> tensor<128x128xf32>
    %centered = arith.subf %masked, %max_tile : tensor<128x128xf32>
    %p = math.exp2 %centered : tensor<128x128xf32>
    %shift = arith.subf %max, %next_max : tensor<128xf32>
    %alpha = math.exp2 %shift : tensor<128xf32>
    %block_sum = nv_tileas.reduce %p axis 1 : tensor<128x128xf32> -> tensor<128xf32> {
    ^bb0(%x: f32, %y: f32):
      %both = arith.addf %x, %y : f32
      nv_tileas.yield %both : f32
    }
    %sum_scaled = arith.mulf %sum, %alpha : tensor<128xf32>
    %next_sum = arith.addf %sum_scaled, %block_sum : tensor<128xf32>
    %alpha_tile = "cuda_tile.broadcast"(%alpha) {
        tileas.schedule.cost_of = "nv_tileas.view"
      } : (tensor<128xf32>) -> tensor<128x128xf32>
    %output_scaled = arith.mulf %output, %alpha_tile : tensor<128x128xf32>
    %p_half = arith.truncf %p : tensor<128x128xf32> to tensor<128x128xf16>
    %next_output = nv_tileas.dot %p_half, %v, %output_scaled {
        atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16", b = "kn">
      } : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %next_max, %next_sum, %next_output : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
  }
  %sum_tile = "cuda_tile.broadcast"(%sum_end) {
        tileas.schedule.cost_of = "nv_tileas.view"
      } : (tensor<128xf32>) -> tensor<128x128xf32>
  %normal = arith.divf %output_end, %sum_tile : tensor<128x128xf32>
  %half = arith.truncf %normal : tensor<128x128xf32> to tensor<128x128xf16>
  %stored = nv_tileas.tiled_store %half, %O_tiles[%row, %c0] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak"
    } : tensor<128x128xf16>, !nv_tileaa.tiled_view<128x128xf16, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
