// Flash attention, backward, with heads of 64: each block of 128 keys reads all blocks of queries, sums
// the gradients of its keys and values, and adds its part to the gradients of the queries.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s --check-prefix=PARSED
// RUN: orison-opt --machine=hopper %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=HOPPER
// RUN: orison-opt --machine=blackwell %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=BLACKWELL
// RUN: orison-opt %s --tileas-generate-schedule --tileas-materialize-schedule --tileas-verify-pipelines | FileCheck %s --check-prefix=AGENTS
//
// Scores are computed with a row for each key, so that they and their gradients are the left factors of
// the sums for keys and values. The gradient of the queries is computed transposed, for which the keys are
// loaded transposed, once. The logarithms of the row sums and the sums of gradient times output come from
// the forward pass and a kernel of their own.
//
// PARSED-COUNT-5: nv_tileas.dot
// PARSED: nv_tileas.tiled_atomic_rmw "add"
//
// Five products of 1,048,576 multiplications each at 2,048 a cycle on Hopper: 2,560 cycles. On
// Blackwell four take 256 cycles, and that of 64 rows, which fill half of the unit, 512: 1,536.
//
// HOPPER: ii = 2560 : i32, mii = {{.*}}resource = 2560 : i32, self = 1024 : i32}, proven = true
// BLACKWELL: ii = 1536 : i32, mii = {{.*}}resource = 1536 : i32, self = 1024 : i32}, proven = true
//
// AGENTS: agent_switch
// AGENTS-COUNT-2: producer_acquire
// AGENTS: }, {
// AGENTS: scf.for
// AGENTS-DAG: dot {{.*}} tensor<128x128xf32> -> tensor<128x128xf32>
// AGENTS-DAG: nv_tileas.tiled_atomic_rmw
// AGENTS-DAG: dot {{.*}} tensor<128x64xf32> -> tensor<128x64xf32>
// AGENTS: scf.yield
// AGENTS-COUNT-2: nv_tileas.tiled_store

nv_tileaa.func @attention_backward(
    %Q: !nv_tileaa.memref<?x?xf16>, %K: !nv_tileaa.memref<?x?xf16>,
    %K_transposed: !nv_tileaa.memref<?x?xf16>, %V: !nv_tileaa.memref<?x?xf16>, %dO: !nv_tileaa.memref<?x?xf16>,
    %LogSum: !nv_tileaa.memref<?xf32>, %Delta: !nv_tileaa.memref<?xf32>,
    %dQ_transposed: !nv_tileaa.memref<?x?xf32>, %dK: !nv_tileaa.memref<?x?xf16>,
    %dV: !nv_tileaa.memref<?x?xf16>, %blocks: index
  ) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no_score = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
  %no_gradient = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
  %no_query_gradient = arith.constant dense<0.000000e+00> : tensor<64x128xf32>
  %scale = arith.constant dense<1.803000e-01> : tensor<128x128xf32>
  %key_block = nv_tileaa.get_program_id axis 0
  %token = nv_tileaa.create_mem_token
  %Q_tiles = nv_tileaa.block_tile %Q : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %K_tiles = nv_tileaa.block_tile %K : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %K_transposed_tiles = nv_tileaa.block_tile %K_transposed : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x128xf16, gmem>
  %V_tiles = nv_tileaa.block_tile %V : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %dO_tiles = nv_tileaa.block_tile %dO : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %log_sum_tiles = nv_tileaa.block_tile %LogSum : !nv_tileaa.memref<?xf32> -> !nv_tileaa.tiled_view<128xf32, gmem>
  %delta_tiles = nv_tileaa.block_tile %Delta : !nv_tileaa.memref<?xf32> -> !nv_tileaa.tiled_view<128xf32, gmem>
  %dQ_tiles = nv_tileaa.block_tile %dQ_transposed : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x128xf32, gmem>
  %dK_tiles = nv_tileaa.block_tile %dK : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %dV_tiles = nv_tileaa.block_tile %dV : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %k, %k_token = nv_tileas.tiled_load %K_tiles[%key_block, %c0] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>,
      mem_semantic = "weak"
    } : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
  %k_transposed, %k_transposed_token = nv_tileas.tiled_load %K_transposed_tiles[%c0, %key_block] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"tma_load_2d", box = [64, 128]>, in_bounds = array<i1: true, true>,
      mem_semantic = "weak"
    } : !nv_tileaa.tiled_view<64x128xf16, gmem> -> tensor<64x128xf16>, !nv_tileaa.mem_token
  %v, %v_token = nv_tileas.tiled_load %V_tiles[%key_block, %c0] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>,
      mem_semantic = "weak"
    } : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
  %dK_end, %dV_end = scf.for %block = %c0 to %blocks step %c1 iter_args(%dk = %no_gradient, %dv = %no_gradient) -> (tensor<128x64xf32>, tensor<128x64xf32>) {
    %q, %q_token = nv_tileas.tiled_load %Q_tiles[%block, %c0] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %do, %do_token = nv_tileas.tiled_load %dO_tiles[%block, %c0] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %log_sum, %log_sum_token = nv_tileas.tiled_load %log_sum_tiles[%block] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"ldg_128">, in_bounds = array<i1: true>, mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<128xf32, gmem> -> tensor<128xf32>, !nv_tileaa.mem_token
    %delta, %delta_token = nv_tileas.tiled_load %delta_tiles[%block] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"ldg_128">, in_bounds = array<i1: true>, mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<128xf32, gmem> -> tensor<128xf32>, !nv_tileaa.mem_token
    %scores = nv_tileas.dot %k, %q, %no_score {
        atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16", b = "nk">
      } : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %scaled = arith.mulf %scores, %scale : tensor<128x128xf32>
    %log_sum_row = nv_tileas.expand_dims %log_sum axis 0 : tensor<128xf32> -> tensor<1x128xf32>
    %log_sum_tile = "cuda_tile.broadcast"(%log_sum_row) {
        tileas.schedule.cost_of = "nv_tileas.view"
      } : (tensor<1x128xf32>) -> tensor<128x128xf32>
    %centered = arith.subf %scaled, %log_sum_tile : tensor<128x128xf32>
    %p = math.exp2 %centered : tensor<128x128xf32>
    %p_half = arith.truncf %p : tensor<128x128xf32> to tensor<128x128xf16>
    %next_dv = nv_tileas.dot %p_half, %do, %dv {
        atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16", b = "kn">
      } : tensor<128x128xf16>, tensor<128x64xf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %dp = nv_tileas.dot %v, %do, %no_score {
        atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16", b = "nk">
      } : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %delta_row = nv_tileas.expand_dims %delta axis 0 : tensor<128xf32> -> tensor<1x128xf32>
    %delta_tile = "cuda_tile.broadcast"(%delta_row) {
        tileas.schedule.cost_of = "nv_tileas.view"
      } : (tensor<1x128xf32>) -> tensor<128x128xf32>
    %dp_centered = arith.subf %dp, %delta_tile : tensor<128x128xf32>
    %ds = arith.mulf %p, %dp_centered : tensor<128x128xf32>
    %ds_half = arith.truncf %ds : tensor<128x128xf32> to tensor<128x128xf16>
    %next_dk = nv_tileas.dot %ds_half, %q, %dk {
        atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16", b = "kn">
      } : tensor<128x128xf16>, tensor<128x64xf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %dq = nv_tileas.dot %k_transposed, %ds_half, %no_query_gradient {
        atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16", b = "kn">
      } : tensor<64x128xf16>, tensor<128x128xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
    %before, %added = nv_tileas.tiled_atomic_rmw "add" %dQ_tiles[%c0, %block] by %dq token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"red_add_f32">, in_bounds = array<i1: true, true>,
        mem_scope = "gpu", mem_semantic = "relaxed"
      } : !nv_tileaa.tiled_view<64x128xf32, gmem> by tensor<64x128xf32> -> tensor<64x128xf32>, !nv_tileaa.mem_token
    scf.yield %next_dk, %next_dv : tensor<128x64xf32>, tensor<128x64xf32>
  }
  %dK_half = arith.truncf %dK_end : tensor<128x64xf32> to tensor<128x64xf16>
  %dV_half = arith.truncf %dV_end : tensor<128x64xf32> to tensor<128x64xf16>
  %dK_stored = nv_tileas.tiled_store %dK_half, %dK_tiles[%key_block, %c0] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak"
    } : tensor<128x64xf16>, !nv_tileaa.tiled_view<128x64xf16, gmem> -> !nv_tileaa.mem_token
  %dV_stored = nv_tileas.tiled_store %dV_half, %dV_tiles[%key_block, %c0] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak"
    } : tensor<128x64xf16>, !nv_tileaa.tiled_view<128x64xf16, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
