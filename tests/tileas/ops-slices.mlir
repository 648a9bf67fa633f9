// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// CHECK-LABEL: @slices
nv_tileaa.func @slices(%tile: tensor<64x64xf16>, %i: index, %done: !nv_tileas.async_token) {
  // CHECK: nv_tileas.alloc_tensor : tensor<8xf16>
  %0 = nv_tileas.alloc_tensor : tensor<8xf16>
  // CHECK: %[[BUF:.*]] = nv_tileas.alloc_tensor in "smem" {alignment = 128 : i32} : !nv_tileas.tiled_view<2x64x64xf16, smem>
  %buffer = nv_tileas.alloc_tensor in "smem" {alignment = 128 : i32} : !nv_tileas.tiled_view<2x64x64xf16, smem>
  // CHECK: %[[PART:.*]] = nv_tileas.extract_slice %{{.*}}[0, %{{.*}}] [64, 32] [1, 1] : tensor<64x64xf16> to tensor<64x32xf16>
  %part = nv_tileas.extract_slice %tile[0, %i] [64, 32] [1, 1] : tensor<64x64xf16> to tensor<64x32xf16>
  // CHECK: nv_tileas.insert_slice %[[PART]] into %{{.*}}[0, %{{.*}}] [64, 32] [1, 1] {note} : tensor<64x32xf16> into tensor<64x64xf16>
  %1 = nv_tileas.insert_slice %part into %tile[0, %i] [64, 32] [1, 1] {note} : tensor<64x32xf16> into tensor<64x64xf16>
  // Extents of 1 may be dropped.
  // CHECK: nv_tileas.extract_slice %[[BUF]][%{{.*}}, 0, 0] [1, 64, 64] [1, 1, 1] : !nv_tileas.tiled_view<2x64x64xf16, smem> to !nv_tileas.tiled_view<64x64xf16, smem>
  %2 = nv_tileas.extract_slice %buffer[%i, 0, 0] [1, 64, 64] [1, 1, 1] : !nv_tileas.tiled_view<2x64x64xf16, smem> to !nv_tileas.tiled_view<64x64xf16, smem>
  // CHECK: nv_tileas.extract_slice %{{.*}}[0, 0] [%{{.*}}, 32] [1, 2] : tensor<64x64xf16> to tensor<?x32xf16>
  %3 = nv_tileas.extract_slice %tile[0, 0] [%i, 32] [1, 2] : tensor<64x64xf16> to tensor<?x32xf16>
  // CHECK: nv_tileas.async.extract_slice %{{.*}}[0, 0] [64, 32] [1, 1] token %{{.*}} : tensor<64x64xf16> to tensor<64x32xf16>
  %4:2 = nv_tileas.async.extract_slice %tile[0, 0] [64, 32] [1, 1] token %done : tensor<64x64xf16> to tensor<64x32xf16>
  // CHECK: nv_tileas.async.insert_slice %{{.*}} into %[[BUF]][%{{.*}}, 0, 0] [1, 64, 64] [1, 1, 1] token %{{.*}} : tensor<64x64xf16> into !nv_tileas.tiled_view<2x64x64xf16, smem>
  %5:2 = nv_tileas.async.insert_slice %tile into %buffer[%i, 0, 0] [1, 64, 64] [1, 1, 1] token %done : tensor<64x64xf16> into !nv_tileas.tiled_view<2x64x64xf16, smem>
  nv_tileaa.return
}

// CHECK-LABEL: @scalar_slice
nv_tileaa.func @scalar_slice(%tile: tensor<f16>) {
  // CHECK: nv_tileas.extract_slice %{{.*}}[] [] [] : tensor<f16> to tensor<f16>
  %0 = nv_tileas.extract_slice %tile[] [] [] : tensor<f16> to tensor<f16>
  nv_tileaa.return
}
