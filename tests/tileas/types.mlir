// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// Types and attributes of both dialects, in every form.

// CHECK-LABEL: @types
nv_tileaa.func @types(
  // CHECK-SAME: !nv_tileas.pipeline
  %0: !nv_tileas.pipeline,
  // CHECK-SAME: !nv_tileas.iter<producer>
  %1: !nv_tileas.iter<producer>,
  // CHECK-SAME: !nv_tileas.iter<consumer, tensor<128x64xf16>, 3, smem>
  %2: !nv_tileas.iter<consumer, tensor<128x64xf16>, 3, smem>,
  // A stride of 1 is omitted; other parts have a fixed order.
  // CHECK-SAME: !nv_tileas.iter<producer, f16, 2, rmem>
  %3: !nv_tileas.iter<producer, generic, stride = 1, 2, f16>,
  // CHECK-SAME: !nv_tileas.iter<producer, stride = 2>
  %4: !nv_tileas.iter<producer, stride = 2>,
  // CHECK-SAME: !nv_tileas.producer_token
  %5: !nv_tileas.producer_token,
  // CHECK-SAME: !nv_tileas.consumer_token
  %6: !nv_tileas.consumer_token,
  // CHECK-SAME: !nv_tileas.async_token
  %7: !nv_tileas.async_token,
  // CHECK-SAME: !nv_tileas.tma_desc
  %8: !nv_tileas.tma_desc,
  // CHECK-SAME: !nv_tileas.tiled_view<2x128x64xf16, smem>
  %9: !nv_tileas.tiled_view<2x128x64xf16, smem>,
  // CHECK-SAME: !nv_tileas.tiled_view<2x128x64xf16, tmem>
  %10: !nv_tileas.tiled_view<2x128x64xf16, tmem>,
  // CHECK-SAME: !nv_tileas.tiled_view<?x4xf16, gmem, strided<[4, 1]>>
  %11: !nv_tileas.tiled_view<?x4xf16, global, strided<[4, 1]>>,
  // CHECK-SAME: !nv_tileaa.tiled_view<128x64xf16, gmem>
  %12: !nv_tileaa.tiled_view<128x64xf16, gmem>,
  // CHECK-SAME: !nv_tileaa.memref<?x?xf16>
  %13: !nv_tileaa.memref<?x?xf16>,
  // CHECK-SAME: !nv_tileaa.memref<4xf16, constant>
  %14: !nv_tileaa.memref<4xf16, constant>,
  // CHECK-SAME: !nv_tileas.memref<4xf16, local>
  %15: !nv_tileas.memref<4xf16, local>,
  // CHECK-SAME: !nv_tileaa.mem_token
  %16: !nv_tileaa.mem_token,
  // CHECK-SAME: tensor<4x!nv_tileaa.ptr<f16>>
  %17: tensor<4x!nv_tileaa.ptr<f16>>,
  // CHECK-SAME: !nv_tileas.tiled_view<f32, smem>
  %18: !nv_tileas.tiled_view<f32, smem>
) attributes {
  // CHECK-SAME: a = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>
  a = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>,
  // Details are sorted.
  // CHECK-SAME: b = #nv_tileas.atom<"mma", k = 16 : i32, transposed>
  b = #nv_tileas.atom<"mma", transposed, k = 16 : i32>,
  // CHECK-SAME: c = #nv_tileas.layout<"(128,64),(64,1),swizzle<3,4,3>,elem=nvfp4">
  c = #nv_tileas.layout<"(128,64),(64,1),swizzle<3,4,3>,elem=nvfp4">
} {
  nv_tileaa.return
}
