// RUN: orison-opt %s --tileas-slice -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: orison-interpret %t.mlir --entry products --tiles 1 --random-inputs 5 --compare-with %s
//
// Two products: b is K by N in the first and N by K in the second. Square slices of b do not tell.
//
// CHECK-COUNT-2: b = "kn"
// CHECK-COUNT-2: b = "nk"

nv_tileaa.func @products(
    %A: !nv_tileaa.memref<?x?xf16>, %B: !nv_tileaa.memref<?x?xf16>, %T: !nv_tileaa.memref<?x?xf16>,
    %D: !nv_tileaa.memref<?x?xf32>
  ) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, numWarps = 4 : i32}} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.000000e+00> : tensor<64x128xf32>
  %token = nv_tileaa.create_mem_token
  %As = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %Bs = nv_tileaa.block_tile %B : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x128xf16, gmem>
  %Ts = nv_tileaa.block_tile %T : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %Ds = nv_tileaa.block_tile %D : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x128xf32, gmem>
  %a, %t0 = nv_tileas.tiled_load %As[%c0, %c0] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"ldg_128">, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
  %b, %t1 = nv_tileas.tiled_load %Bs[%c0, %c0] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"ldg_128">, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x128xf16, gmem> -> tensor<64x128xf16>, !nv_tileaa.mem_token
  %t, %t2 = nv_tileas.tiled_load %Ts[%c0, %c0] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"ldg_128">, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
  %first = nv_tileas.dot %a, %b, %zero {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">, tileas.preferred_atom_size = 64 : i32} : tensor<64x64xf16>, tensor<64x128xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  %second = nv_tileas.dot %a, %t, %first {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">, tileas.preferred_atom_size = 64 : i32} : tensor<64x64xf16>, tensor<128x64xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  %stored = nv_tileas.tiled_store %second, %Ds[%c0, %c0] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>} : tensor<64x128xf32>, !nv_tileaa.tiled_view<64x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
