// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

#row = #nv_tileas.layout<"(64,32),(32,1)">
#column = #nv_tileas.layout<"(64,32),(1,64),swizzle<3,4,3>">

// CHECK-LABEL: @layouts
nv_tileaa.func @layouts(%tile: tensor<64x32xf16>, %row: tensor<64x32xf16, #row>) {
  // CHECK: nv_tileas.convert_layout %{{.*}} : tensor<64x32xf16, #nv_tileas.layout<"(64,32),(32,1)">> -> tensor<64x32xf16, #nv_tileas.layout<"(64,32),(1,64),swizzle<3,4,3>">>
  %0 = nv_tileas.convert_layout %row : tensor<64x32xf16, #row> -> tensor<64x32xf16, #column>
  // CHECK: nv_tileas.view %{{.*}} : tensor<64x32xf16> -> tensor<32x64xf16>
  %1 = nv_tileas.view %tile : tensor<64x32xf16> -> tensor<32x64xf16>
  // CHECK: nv_tileas.expand_dims %{{.*}} axis 1 : tensor<64x32xf16> -> tensor<64x1x32xf16>
  %2 = nv_tileas.expand_dims %tile axis 1 : tensor<64x32xf16> -> tensor<64x1x32xf16>
  // CHECK: nv_tileas.reinterpret %{{.*}} : tensor<64x32xf16> -> tensor<64x16xi32>
  %3 = nv_tileas.reinterpret %tile : tensor<64x32xf16> -> tensor<64x16xi32>
  // CHECK: nv_tileas.shuffle %{{.*}} {pattern = [1, 0]} : tensor<64x32xf16>
  %4 = nv_tileas.shuffle %tile {pattern = [1, 0]} : tensor<64x32xf16>
  // CHECK: nv_tileas.generate : tensor<64x32xindex> {
  // CHECK-NEXT: ^bb0(%[[I:.*]]: index, %{{.*}}: index):
  %5 = nv_tileas.generate : tensor<64x32xindex> {
  ^bb0(%i: index, %j: index):
    // CHECK-NEXT: nv_tileas.yield %[[I]] : index
    nv_tileas.yield %i : index
  }
  nv_tileaa.return
}
