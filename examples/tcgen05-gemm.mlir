// A GEMM for Blackwell: D = A * B^T. The accumulator is in tensor memory, where tcgen05.mma adds to
// it in place; the first product of a tile overwrites what was there. Behind the loop the tile is
// copied to registers and stored.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s --check-prefix=PARSED
// RUN: orison-opt --machine=page %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=SCHEDULE
// RUN: orison-opt %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=SHAPED
// RUN: orison-opt --machine=page %s --tileas-generate-schedule --tileas-materialize-schedule=rotate=false | FileCheck %s --check-prefix=AGENTS
//
// PARSED: nv_tileas.alloc_tensor in "tmem"
//
// Bounds as in gemm-epilogue.mlir, which has the same tiles.
//
// SCHEDULE: ii = 16 : i32, mii = {dependency = 3 : i32, fine = 1 : i32, recurrence = 16 : i32, resource = 16 : i32, self = 8 : i32}, proven = true, stages = 2 : i32
//
// With costs by shape: tiles of 16,384 and 32,768 bytes at 64 bytes a cycle take 256 + 512 cycles; the
// product of 128 x 256 x 64 takes 512.
//
// SHAPED: ii = 768 : i32, mii = {{.*}}recurrence = 512 : i32, resource = 768 : i32
//
// Agents. What is carried is the view of the accumulator; the product yields the same view. The
// consumer also decides whether to add.
//
// AGENTS: %[[ACC:.+]] = nv_tileas.alloc_tensor in "tmem"
// AGENTS: agent_switch
// AGENTS: producer_commit {{.*}} bytes 49152
// AGENTS: }, {
// AGENTS: %[[SUM:.+]]:2 = scf.for %[[K:.+]] = {{.*}} iter_args(%[[C:.+]] = %[[ACC]],
// AGENTS: %[[ADD:.+]] = arith.cmpi ne, %[[K]]
// AGENTS: nv_tileas.dot %{{.+}}, %{{.+}}, %[[C]] if %[[ADD]] : i1
// AGENTS: %[[TILE:.+]] = nv_tileas.copy %[[SUM]]#0
// AGENTS: nv_tileas.tiled_store %[[TILE]]

nv_tileaa.func @tcgen05_gemm(
    %A: !nv_tileaa.memref<?x?xf16>, %B: !nv_tileaa.memref<?x?xf16>,
    %D: !nv_tileaa.memref<?x?xf32>, %k_tiles: index
  ) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, computeCapability = 100 : i32, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = nv_tileaa.get_program_id axis 0
  %n = nv_tileaa.get_program_id axis 1
  %token = nv_tileaa.create_mem_token
  %A_tiles = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %B_tiles = nv_tileaa.block_tile %B : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<256x64xf16, gmem>
  %D_tiles = nv_tileaa.block_tile %D : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x256xf32, gmem>
  %accumulator = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<128x256xf32, tmem>
  %sum = scf.for %k = %c0 to %k_tiles step %c1 iter_args(%acc = %accumulator) -> (!nv_tileas.tiled_view<128x256xf32, tmem>) {
    %a, %a_token = nv_tileas.tiled_load %A_tiles[%m, %k] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %b, %b_token = nv_tileas.tiled_load %B_tiles[%n, %k] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [256, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<256x64xf16, gmem> -> tensor<256x64xf16>, !nv_tileaa.mem_token
    %add = arith.cmpi ne, %k, %c0 : index
    %next = nv_tileas.dot %a, %b, %acc if %add : i1 {
        atom = #nv_tileas.atom<"tcgen05_mma_m128n256k16_f32_f16_f16">
      } : tensor<128x64xf16>, tensor<256x64xf16>, !nv_tileas.tiled_view<128x256xf32, tmem> -> !nv_tileas.tiled_view<128x256xf32, tmem>
    scf.yield %next : !nv_tileas.tiled_view<128x256xf32, tmem>
  }
  %tile = nv_tileas.copy %sum {
      atom = #nv_tileas.atom<"tcgen05_ld_32x32b_x128">
    } : !nv_tileas.tiled_view<128x256xf32, tmem> -> tensor<128x256xf32>
  %stored = nv_tileas.tiled_store %tile, %D_tiles[%m, %n] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak"
    } : tensor<128x256xf32>, !nv_tileaa.tiled_view<128x256xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
