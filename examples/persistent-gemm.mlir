// A persistent GEMM: D = half(relu(A * B^T)), tiles of 128 x 256. A program computes every fourth tile; two
// compute agents take turns, so that one multiplies while the other one stores its tile.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s --check-prefix=PARSED
// RUN: orison-opt %s --machine=hopper --tileas-generate-schedule --tileas-materialize-schedule --tileas-verify-pipelines -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: orison-interpret %t.mlir --entry gemm_relu --tiles 16 --args='[null, null, null, 16, 32, 4, 8]' --timed --machine=hopper | FileCheck %s --check-prefix=TIMED
// RUN: orison-opt %s --machine=hopper --tileas-generate-schedule --tileas-materialize-schedule='use-dual-simt=false' -o %t.one.mlir
// RUN: orison-interpret %t.one.mlir --entry gemm_relu --tiles 16 --args='[null, null, null, 16, 32, 4, 8]' --timed --machine=hopper | FileCheck %s --check-prefix=ONE
//
// PARSED: scf.for
// PARSED: scf.for
//
// Each of the compute agents has a ring of three slots of 8 + 16 KiB; the load agent fills them in turn, a
// tile of D after the other.
//
// CHECK: alloc_tensor in "smem" : !nv_tileas.tiled_view<3x24576xi8, smem>
// CHECK: alloc_tensor in "smem" : !nv_tileas.tiled_view<3x24576xi8, smem>
// CHECK: agent_switch
// CHECK: scf.for %[[TILE:.+]] = %{{.+}} to %[[TILES:.+]] step
// CHECK: scf.for
// CHECK: producer_acquire %Pipe_0,
// CHECK: %[[NEXT:.+]] = arith.addi %[[TILE]]
// CHECK: arith.cmpi {{ult|slt}}, %[[NEXT]], %[[TILES]]
// CHECK: scf.if
// CHECK: producer_acquire %Pipe_1,
//
// 8 tiles of 16 products of 512 cycles are 65,536 cycles of the tensor cores. With one compute agent they
// are idle while it stores; with two, before the first product and after the last one.
//
// TIMED: tc_and_mma 65536 8{{[6-9][0-9.]+}}%
// ONE: tc_and_mma 65536 7{{[0-9.]+}}%

nv_tileaa.func @gemm_relu(
    %A: !nv_tileaa.memref<?x?xf16>, %B: !nv_tileaa.memref<?x?xf16>, %D: !nv_tileaa.memref<?x?xf16>,
    %k_tiles: index, %tiles: index, %programs: index, %columns: index
  ) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, numWarps = 12 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
  %program = nv_tileaa.get_program_id axis 0
  %token = nv_tileaa.create_mem_token
  %A_tiles = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x32xf16, gmem>
  %B_tiles = nv_tileaa.block_tile %B : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<256x32xf16, gmem>
  %D_tiles = nv_tileaa.block_tile %D : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x256xf16, gmem>
  scf.for %tile = %program to %tiles step %programs {
    %m = arith.divui %tile, %columns : index
    %n = arith.remui %tile, %columns : index
    %sum = scf.for %k = %c0 to %k_tiles step %c1 iter_args(%acc = %zero) -> (tensor<128x256xf32>) {
      %a, %a_token = nv_tileas.tiled_load %A_tiles[%m, %k] token %token : !nv_tileaa.mem_token {
          atom = #nv_tileas.atom<"tma_load_2d", box = [128, 32]>, in_bounds = array<i1: true, true>,
          mem_semantic = "weak"
        } : !nv_tileaa.tiled_view<128x32xf16, gmem> -> tensor<128x32xf16>, !nv_tileaa.mem_token
      %b, %b_token = nv_tileas.tiled_load %B_tiles[%n, %k] token %token : !nv_tileaa.mem_token {
          atom = #nv_tileas.atom<"tma_load_2d", box = [256, 32]>, in_bounds = array<i1: true, true>,
          mem_semantic = "weak"
        } : !nv_tileaa.tiled_view<256x32xf16, gmem> -> tensor<256x32xf16>, !nv_tileaa.mem_token
      %next = nv_tileas.dot %a, %b, %acc {
          atom = #nv_tileas.atom<"wgmma_m64n256k16_f32_f16_f16">
        } : tensor<128x32xf16>, tensor<256x32xf16>, tensor<128x256xf32> -> tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    }
    %activated = arith.maximumf %sum, %zero : tensor<128x256xf32>
    %half = arith.truncf %activated : tensor<128x256xf32> to tensor<128x256xf16>
    %stored = nv_tileas.tiled_store %half, %D_tiles[%m, %n] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_store_2d", box = [128, 256]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : tensor<128x256xf16>, !nv_tileaa.tiled_view<128x256xf16, gmem> -> !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
