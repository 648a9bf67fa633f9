// GEMM with an epilogue: D = half(relu(A * B^T + bias)), a tile of 128 x 256 a block, stored by TMA.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s --check-prefix=PARSED
// RUN: orison-opt --machine=page %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=SCHEDULE
// RUN: orison-opt %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=SHAPED
// RUN: orison-opt --machine=page %s --tileas-generate-schedule --tileas-materialize-schedule | FileCheck %s --check-prefix=AGENTS
//
// PARSED: arith.maximumf
// PARSED: nv_tileas.async.tiled_tma_store
//
// Bounds as in gemm.mlir, but for memory: a ring slot takes 16 + 32 KiB, so 4 stages are
// affordable, and (8 + 1) / 4 rounds up to 3. There is no leader group here: the loads share a pipe
// because one product reads both.
//
// SCHEDULE: ii = 16 : i32, mii = {dependency = 3 : i32, fine = 1 : i32, recurrence = 16 : i32, resource = 16 : i32, self = 8 : i32}, proven = true, stages = 2 : i32
//
// With costs by shape, on Blackwell: tiles of 16,384 and 32,768 bytes at 64 bytes a cycle take 256 + 512
// cycles; the product of 128 x 256 x 64 takes 512.
//
// SHAPED: ii = 768 : i32, mii = {{.*}}recurrence = 512 : i32, resource = 768 : i32
//
// Agents. The tiles differ in shape, so a slot is 49,152 bytes. What stands behind the loop needs
// its result, so the consumer takes it over: bias, activation, conversion, the copy to shared
// memory and the store by TMA. The zero tile is read by the loop and by the activation, both in the
// consumer.
//
// AGENTS: nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<3x49152xi8, smem>
// AGENTS: agent_switch
// AGENTS: producer_commit {{.*}} bytes 49152
// AGENTS: }, {
// AGENTS: %[[ZERO:.+]] = arith.constant dense<0.000000e+00>
// AGENTS: %[[SUM:.+]]:2 = scf.if
// AGENTS: scf.for
// AGENTS: nv_tileas.async.dot
// AGENTS: consumer_release
// AGENTS: } else {
// AGENTS: %[[BIASED:.+]] = arith.addf %[[SUM]]#0
// AGENTS: %[[RELU:.+]] = arith.maximumf %[[BIASED]], %[[ZERO]]
// AGENTS: %[[HALF:.+]] = arith.truncf %[[RELU]]
// AGENTS: nv_tileas.copy %[[HALF]] to %[[STAGED:.+]] {
// AGENTS: %[[DONE:.+]] = nv_tileas.async.tiled_tma_store %[[STAGED]]
// AGENTS: nv_tileas.async.wait %[[DONE]]
// AGENTS: nv_tileas.async.pipeline.yield

nv_tileaa.func @gemm_bias_relu(
    %A: !nv_tileaa.memref<?x?xf16>, %B: !nv_tileaa.memref<?x?xf16>,
    %Bias: !nv_tileaa.memref<?x?xf32>, %D: !nv_tileaa.memref<?x?xf16>, %k_tiles: index
  ) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
  %m = nv_tileaa.get_program_id axis 0
  %n = nv_tileaa.get_program_id axis 1
  %token = nv_tileaa.create_mem_token
  %A_tiles = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %B_tiles = nv_tileaa.block_tile %B : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<256x64xf16, gmem>
  %bias_tiles = nv_tileaa.block_tile %Bias : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x256xf32, gmem>
  %D_tiles = nv_tileaa.block_tile %D : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x256xf16, gmem>
  %sum = scf.for %k = %c0 to %k_tiles step %c1 iter_args(%acc = %zero) -> (tensor<128x256xf32>) {
    %a, %a_token = nv_tileas.tiled_load %A_tiles[%m, %k] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %b, %b_token = nv_tileas.tiled_load %B_tiles[%n, %k] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [256, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<256x64xf16, gmem> -> tensor<256x64xf16>, !nv_tileaa.mem_token
    %next = nv_tileas.dot %a, %b, %acc {
        atom = #nv_tileas.atom<"wgmma_m64n256k16_f32_f16_f16">
      } : tensor<128x64xf16>, tensor<256x64xf16>, tensor<128x256xf32> -> tensor<128x256xf32>
    scf.yield %next : tensor<128x256xf32>
  }
  %bias, %bias_token = nv_tileas.tiled_load %bias_tiles[%m, %n] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"ldg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak"
    } : !nv_tileaa.tiled_view<128x256xf32, gmem> -> tensor<128x256xf32>, !nv_tileaa.mem_token
  %biased = arith.addf %sum, %bias : tensor<128x256xf32>
  %activated = arith.maximumf %biased, %zero : tensor<128x256xf32>
  %half = arith.truncf %activated : tensor<128x256xf32> to tensor<128x256xf16>
  %staged = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<128x256xf16, smem>
  %descriptor = nv_tileas.make_tiled_tma_desc %D_tiles {
      atom = #nv_tileas.atom<"tma_store_2d", box = [128, 256]>, tmaIdx = 0 : i32
    } : !nv_tileaa.tiled_view<128x256xf16, gmem>
  nv_tileas.copy %half to %staged {
      atom = #nv_tileas.atom<"stmatrix_x4">
    } : tensor<128x256xf16> to !nv_tileas.tiled_view<128x256xf16, smem>
  %stored = nv_tileas.async.tiled_tma_store %staged to %descriptor[%m, %n] {
      atom = #nv_tileas.atom<"tma_store_2d", box = [128, 256]>
    } : !nv_tileas.tiled_view<128x256xf16, smem>
  nv_tileas.async.wait %stored
  nv_tileaa.return
}
