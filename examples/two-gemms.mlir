// Two GEMMs in one kernel: D = relu(A * B1^T) * B2^T, for 128 rows of A. The hidden columns come in
// blocks of 64, which never leave the registers; A is loaded once.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s --check-prefix=PARSED
// RUN: orison-opt --machine=page %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=SCHEDULE
// RUN: orison-opt %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=SHAPED
// RUN: orison-opt --machine=page %s --tileas-generate-schedule --tileas-materialize-schedule | FileCheck %s --check-prefix=AGENTS
//
// PARSED-COUNT-2: nv_tileas.dot
//
// Bounds. Two loads hold the slots tma and tp_smem_wr for 8 cycles each, and two products those of
// the tensor core for 8 each: 16. The output is ready 16 cycles after its product starts and read by
// that of the next iteration: 16 / 1. The chain of an iteration ends with the second product, which
// needs the tile of the first load (8), the first product (16), the maximum and the conversion, so
// it spans three stages of 16 cycles.
//
// SCHEDULE: ii = 16 : i32, mii = {dependency = {{[0-9]+}} : i32, fine = 1 : i32, recurrence = 16 : i32, resource = 16 : i32, self = 8 : i32}, proven = true, stages = 3 : i32
//
// With costs by shape, on Blackwell: two tiles of 16,384 bytes take 512 cycles. Each product of 1,048,576
// multiplications takes 256 cycles of the tensor core, but the first reads 32,768 + 16,384 bytes
// from shared memory for it, which take 384, before the second one can read: 384 + 256.
//
// SHAPED: ii = 640 : i32, mii = {{.*}}recurrence = 256 : i32, resource = 512 : i32, self = 384 : i32}, proven = true
//
// Agents. Each matrix feeds a product of its own, so each has a pipe of 64 * 128 * 2 = 16,384 bytes a
// slot. A is loaded once, by the agent that reads it. The hidden tile goes from the first product
// to the second in registers. The products of an iteration overlap: the second of one and the first of the
// next, for which the hidden tile is carried. Loops of one iteration are not rotated.
//
// AGENTS-COUNT-2: create_pipeline
// AGENTS: agent_switch
// AGENTS-COUNT-2: producer_commit {{.*}} bytes 16384
// AGENTS: }, {
// AGENTS: %[[A:.+]]:2 = nv_tileas.tiled_load
// AGENTS: scf.if
// AGENTS: scf.for {{.*}} iter_args(%{{[^ ]+}} = %{{[^ ]+}}, %[[POSITIVE:[^ ]+]] = %{{[^ ]+}}, {{.*}}%[[SUM:[^ ]+]] = %{{[^ ]+}}, %[[FLIGHT:[^ ]+]] = %{{[^ ]+}}) ->
// AGENTS: nv_tileas.async.wait %[[FLIGHT]]
// AGENTS: consumer_release
// AGENTS: %[[HIDDEN:.+]] = arith.truncf %[[POSITIVE]]
// AGENTS: ^bb0(%[[B1:.+]]: tensor<64x128xf16>):
// AGENTS: nv_tileas.async.dot %[[A]]#0, %[[B1]]
// AGENTS: ^bb0(%[[B2:.+]]: tensor<128x64xf16>):
// AGENTS: nv_tileas.async.dot %[[HIDDEN]], %[[B2]], %[[SUM]]
// AGENTS: nv_tileas.async.wait
// AGENTS: consumer_release
// AGENTS: %[[NEXT:.+]] = arith.maximumf
// AGENTS: scf.yield %{{[^ ]+}}, %[[NEXT]],
// AGENTS: } else {
// AGENTS: scf.for
// AGENTS: nv_tileas.dot
// AGENTS: nv_tileas.tiled_store

nv_tileaa.func @two_gemms(
    %A: !nv_tileaa.memref<?x?xf16>, %B1: !nv_tileaa.memref<?x?xf16>,
    %B2: !nv_tileaa.memref<?x?xf16>, %D: !nv_tileaa.memref<?x?xf32>, %hidden_tiles: index
  ) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no_hidden = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
  %no_output = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
  %row = nv_tileaa.get_program_id axis 0
  %column = nv_tileaa.get_program_id axis 1
  %token = nv_tileaa.create_mem_token
  %A_tiles = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x128xf16, gmem>
  %B1_tiles = nv_tileaa.block_tile %B1 : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x128xf16, gmem>
  %B2_tiles = nv_tileaa.block_tile %B2 : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %D_tiles = nv_tileaa.block_tile %D : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x128xf32, gmem>
  %a, %a_token = nv_tileas.tiled_load %A_tiles[%row, %c0] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"tma_load_2d", box = [128, 128]>, in_bounds = array<i1: true, true>,
      mem_semantic = "weak"
    } : !nv_tileaa.tiled_view<128x128xf16, gmem> -> tensor<128x128xf16>, !nv_tileaa.mem_token
  %sum = scf.for %block = %c0 to %hidden_tiles step %c1 iter_args(%acc = %no_output) -> (tensor<128x128xf32>) {
    %b1, %b1_token = nv_tileas.tiled_load %B1_tiles[%block, %c0] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [64, 128]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<64x128xf16, gmem> -> tensor<64x128xf16>, !nv_tileaa.mem_token
    %b2, %b2_token = nv_tileas.tiled_load %B2_tiles[%column, %block] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %hidden = nv_tileas.dot %a, %b1, %no_hidden {
        atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">
      } : tensor<128x128xf16>, tensor<64x128xf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %positive = arith.maximumf %hidden, %no_hidden : tensor<128x64xf32>
    %half = arith.truncf %positive : tensor<128x64xf32> to tensor<128x64xf16>
    %next = nv_tileas.dot %half, %b2, %acc {
        atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">
      } : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %stored = nv_tileas.tiled_store %sum, %D_tiles[%row, %column] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak"
    } : tensor<128x128xf32>, !nv_tileaa.tiled_view<128x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
