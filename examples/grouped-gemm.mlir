// Grouped GEMM, as in a mixture of experts: the rows of A are sorted by expert, and each tile of 128
// rows is multiplied by the matrix of its expert. A table says which expert that is.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s --check-prefix=PARSED
// RUN: orison-opt --machine=page %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=SCHEDULE
// RUN: orison-opt %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=SHAPED
// RUN: orison-opt --machine=page %s --tileas-generate-schedule --tileas-materialize-schedule | FileCheck %s --check-prefix=AGENTS
//
// PARSED: nv_tileas.load
// PARSED: nv_tileas.view
//
// Bounds as in gemm.mlir: the extent of 1 costs nothing, and seeing the box as a matrix neither.
//
// SCHEDULE: ii = 16 : i32, mii = {dependency = 2 : i32, fine = 1 : i32, recurrence = 16 : i32, resource = 16 : i32, self = 8 : i32}, proven = true, stages = 2 : i32
//
// With costs by shape as in gemm.mlir: two tiles of 16,384 bytes at 64 bytes a cycle.
//
// SHAPED: ii = 512 : i32, mii = {{.*}}recurrence = 256 : i32, resource = 512 : i32
//
// Agents. The table is read before the switch, so both agents know the expert. The product reads the
// tile of A itself, but of B what `view` makes of it: no operation reads both loads, and each has
// a pipe.
//
// AGENTS: %[[NUMBER:.+]]:2 = nv_tileas.load
// AGENTS: %[[EXPERT:.+]] = arith.index_cast %[[NUMBER]]#0
// AGENTS-COUNT-2: create_pipeline
// AGENTS: agent_switch
// AGENTS: nv_tileas.async.tiled_tma_load %{{.+}}[%{{[^,]+}}, %{{[^,]+}}] to
// AGENTS: nv_tileas.async.tiled_tma_load %{{.+}}[%[[EXPERT]], %{{[^,]+}}, %{{[^,]+}}] to
// AGENTS: }, {
// AGENTS: scf.for
// AGENTS: nv_tileas.view
// AGENTS: nv_tileas.async.dot
// AGENTS: arith.truncf
// AGENTS: nv_tileas.tiled_store

nv_tileaa.func @grouped_gemm(
    %A: !nv_tileaa.memref<?x?xf16>, %B: !nv_tileaa.memref<?x?x?xf16>,
    %D: !nv_tileaa.memref<?x?xf16>, %experts: !nv_tileaa.ptr<i32>, %k_tiles: index
  ) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
  %m = nv_tileaa.get_program_id axis 0
  %n = nv_tileaa.get_program_id axis 1
  %token = nv_tileaa.create_mem_token
  %entry = nv_tileaa.addptr %experts, %m : !nv_tileaa.ptr<i32>, index -> !nv_tileaa.ptr<i32>
  %number, %number_token = nv_tileas.load %entry token %token : !nv_tileaa.mem_token {
      mem_semantic = "weak"
    } : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %expert = arith.index_cast %number : i32 to index
  %A_tiles = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %B_tiles = nv_tileaa.block_tile %B : !nv_tileaa.memref<?x?x?xf16> -> !nv_tileaa.tiled_view<1x128x64xf16, gmem>
  %D_tiles = nv_tileaa.block_tile %D : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x128xf16, gmem>
  %sum = scf.for %k = %c0 to %k_tiles step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
    %a, %a_token = nv_tileas.tiled_load %A_tiles[%m, %k] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %b_box, %b_token = nv_tileas.tiled_load %B_tiles[%expert, %n, %k] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_3d", box = [1, 128, 64]>, in_bounds = array<i1: true, true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<1x128x64xf16, gmem> -> tensor<1x128x64xf16>, !nv_tileaa.mem_token
    %b = nv_tileas.view %b_box : tensor<1x128x64xf16> -> tensor<128x64xf16>
    %next = nv_tileas.dot %a, %b, %acc {
        atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">
      } : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %half = arith.truncf %sum : tensor<128x128xf32> to tensor<128x128xf16>
  %stored = nv_tileas.tiled_store %half, %D_tiles[%m, %n] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak"
    } : tensor<128x128xf16>, !nv_tileaa.tiled_view<128x128xf16, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
