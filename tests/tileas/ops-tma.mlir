// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

!view = !nv_tileaa.tiled_view<64x64xf16, gmem>
!smem = !nv_tileas.tiled_view<64x64xf16, smem>

// CHECK-LABEL: @tma
nv_tileaa.func @tma(%view: !view, %buffer: !smem, %i: index, %rows: tensor<64xi32>, %own: !nv_tileas.producer_token) {
  // CHECK: %[[DESC:.*]] = nv_tileas.make_tiled_tma_desc %{{.*}} {alignment = 128 : i32, atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, oob_mode = "zero", swizzle_mode = "128B", tmaIdx = 0 : i32} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  %desc = nv_tileas.make_tiled_tma_desc %view {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, swizzle_mode = "128B", oob_mode = "zero", tmaIdx = 0 : i32, alignment = 128 : i32} : !view
  %c64 = arith.constant 64 : index
  // CHECK: nv_tileas.make_tiled_tma_desc %{{.*}} box[%{{.*}}, %{{.*}}] {atom = #nv_tileas.atom<"tma_store_2d", box = [64, 64]>} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  %store = nv_tileas.make_tiled_tma_desc %view box[%c64, %c64] {atom = #nv_tileas.atom<"tma_store_2d", box = [64, 64]>} : !view
  // CHECK: nv_tileas.async.tiled_tma_load %[[DESC]][%{{.*}}, %{{.*}}] to %{{.*}} barrier %{{.*}} {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, padding_value = 0.000000e+00 : f16, tx_count = 8192 : i32} : !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  %0 = nv_tileas.async.tiled_tma_load %desc[%i, %i] to %buffer barrier %own {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, tx_count = 8192 : i32, padding_value = 0.0 : f16} : !smem, !nv_tileas.producer_token
  // CHECK: nv_tileas.async.tiled_tma_store %{{.*}} to %{{.*}}[%{{.*}}, %{{.*}}] {atom = #nv_tileas.atom<"tma_store_2d">} : !nv_tileas.tiled_view<64x64xf16, smem>
  %1 = nv_tileas.async.tiled_tma_store %buffer to %store[%i, %i] {atom = #nv_tileas.atom<"tma_store_2d">} : !smem
  // CHECK: nv_tileas.async.gather_tma_load %[[DESC]][%{{.*}}] lanes %{{.*}} to %{{.*}} barrier %{{.*}} {atom = #nv_tileas.atom<"tma_gather4">} : tensor<64xi32>, !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  %2 = nv_tileas.async.gather_tma_load %desc[%i] lanes %rows to %buffer barrier %own {atom = #nv_tileas.atom<"tma_gather4">} : tensor<64xi32>, !smem, !nv_tileas.producer_token
  // CHECK: nv_tileas.async.scatter_tma_store %{{.*}} to %{{.*}}[%{{.*}}] lanes %{{.*}} {atom = #nv_tileas.atom<"tma_scatter4">} : !nv_tileas.tiled_view<64x64xf16, smem>, tensor<64xi32>
  %3 = nv_tileas.async.scatter_tma_store %buffer to %store[%i] lanes %rows {atom = #nv_tileas.atom<"tma_scatter4">} : !smem, tensor<64xi32>
  nv_tileaa.return
}
