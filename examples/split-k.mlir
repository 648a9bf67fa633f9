// Split-K GEMM: D += A * B^T. The blocks along axis 2 of the grid share the K of one tile of D, for
// products with a long K and few tiles; each adds its part atomically.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s --check-prefix=PARSED
// RUN: orison-opt --machine=page %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=SCHEDULE
// RUN: orison-opt %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=SHAPED
// RUN: orison-opt --machine=page %s --tileas-generate-schedule --tileas-materialize-schedule | FileCheck %s --check-prefix=AGENTS
//
// PARSED: nv_tileas.tiled_atomic_rmw "add"
//
// Bounds: the loop is that of gemm.mlir, and so are they. Where it starts and ends does not matter
// to the schedule.
//
// SCHEDULE: ii = 16 : i32, mii = {dependency = 2 : i32, fine = 1 : i32, recurrence = 16 : i32, resource = 16 : i32, self = 8 : i32}, proven = true, stages = 2 : i32
//
// With costs by shape as in gemm.mlir: two tiles of 16,384 bytes at 64 bytes a cycle.
//
// SHAPED: ii = 512 : i32, mii = {{.*}}recurrence = 256 : i32, resource = 512 : i32
//
// Agents. Both count from the first tile of the block's share to its end; the sum leaves the loop in
// the consumer, which adds it to memory.
//
// AGENTS: %[[FIRST:.+]] = arith.muli
// AGENTS: %[[END:.+]] = arith.minui
// AGENTS: agent_switch
// AGENTS: scf.for %{{.+}} = %[[FIRST]] to %[[END]]
// AGENTS: producer_commit {{.*}} bytes 32768
// AGENTS: }, {
// AGENTS: arith.cmpi slt, %[[FIRST]], %[[END]]
// AGENTS: %[[SUM:.+]]:2 = scf.if
// AGENTS: %[[SECOND:.+]] = arith.addi %[[FIRST]], %c1
// AGENTS: scf.for %{{.+}} = %[[SECOND]] to %[[END]]
// AGENTS: consumer_release
// AGENTS: } else {
// AGENTS: nv_tileas.tiled_atomic_rmw "add" {{.*}} by %[[SUM]]#

nv_tileaa.func @gemm_split_k(
    %A: !nv_tileaa.memref<?x?xf16>, %B: !nv_tileaa.memref<?x?xf16>,
    %D: !nv_tileaa.memref<?x?xf32>, %k_tiles: index, %splits: index
  ) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, numWarps = 8 : i32}} {
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
  %m = nv_tileaa.get_program_id axis 0
  %n = nv_tileaa.get_program_id axis 1
  %split = nv_tileaa.get_program_id axis 2
  %share = arith.ceildivui %k_tiles, %splits : index
  %first = arith.muli %split, %share : index
  %behind = arith.addi %first, %share : index
  %end = arith.minui %behind, %k_tiles : index
  %token = nv_tileaa.create_mem_token
  %A_tiles = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %B_tiles = nv_tileaa.block_tile %B : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %D_tiles = nv_tileaa.block_tile %D : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x128xf32, gmem>
  %sum = scf.for %k = %first to %end step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
    %a, %a_token = nv_tileas.tiled_load %A_tiles[%m, %k] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %b, %b_token = nv_tileas.tiled_load %B_tiles[%n, %k] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %next = nv_tileas.dot %a, %b, %acc {
        atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">
      } : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %before, %added = nv_tileas.tiled_atomic_rmw "add" %D_tiles[%m, %n] by %sum token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"red_add_f32">, in_bounds = array<i1: true, true>,
      mem_scope = "gpu", mem_semantic = "relaxed"
    } : !nv_tileaa.tiled_view<128x128xf32, gmem> by tensor<128x128xf32> -> tensor<128x128xf32>, !nv_tileaa.mem_token
  nv_tileaa.return
}
