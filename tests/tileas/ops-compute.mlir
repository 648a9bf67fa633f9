// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// CHECK-LABEL: @dots
nv_tileaa.func @dots(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>, %t: tensor<128x32xf16>, %c: tensor<64x128xf32>, %use: i1,
    %i: tensor<64x32xi8>, %j: tensor<32x128xi8>, %k: tensor<64x128xi32>,
    %sa: !nv_tileas.tiled_view<2x64x32xf16, smem>, %sb: !nv_tileas.tiled_view<2x128x32xf16, smem>, %tc: !nv_tileas.tiled_view<2x64x128xf32, tmem>) {
  // CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %{{.*}} {atom = #nv_tileas.atom<"mma_m16n8k16">} : tensor<64x32xf16>, tensor<32x128xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma_m16n8k16">} : tensor<64x32xf16>, tensor<32x128xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  // CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %{{.*}} if %{{.*}} : i1 {atom
  %1 = nv_tileas.dot %a, %t, %c if %use : i1 {atom = #nv_tileas.atom<"mma_m16n8k16">} : tensor<64x32xf16>, tensor<128x32xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  // CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %{{.*}} {a_signedness = "signed", atom = #nv_tileas.atom<"imma">, b_signedness = "unsigned"}
  %2 = nv_tileas.dot %i, %j, %k {atom = #nv_tileas.atom<"imma">, a_signedness = "signed", b_signedness = "unsigned"} : tensor<64x32xi8>, tensor<32x128xi8>, tensor<64x128xi32> -> tensor<64x128xi32>
  // A batch; factors in shared memory, the sum in tensor memory.
  // CHECK: nv_tileas.async.dot
  %3:2 = nv_tileas.async.dot %sa, %sb, %tc {atom = #nv_tileas.atom<"tcgen05_mma">} : !nv_tileas.tiled_view<2x64x32xf16, smem>, !nv_tileas.tiled_view<2x128x32xf16, smem>, !nv_tileas.tiled_view<2x64x128xf32, tmem> -> !nv_tileas.tiled_view<2x64x128xf32, tmem>
  nv_tileaa.return
}

// CHECK-LABEL: @block_scaled
nv_tileaa.func @block_scaled(%c: tensor<128x128xf32>,
    %a8: tensor<128x64xf8E4M3FN>, %b8: tensor<128x64xf8E5M2>, %s8: tensor<128x2xf8E8M0FNU>,
    %a4: tensor<128x64xf4E2M1FN>, %n4: tensor<128x4xf8E4M3FN>) {
  // CHECK: nv_tileas.block_scaled_mma %{{.*}}, %{{.*}}, %{{.*}} scale %{{.*}} : tensor<128x2xf8E8M0FNU> by %{{.*}} : tensor<128x2xf8E8M0FNU> {atom = #nv_tileas.atom<"tcgen05_mma">, two_cta = true}
  %0 = nv_tileas.block_scaled_mma %a8, %b8, %c scale %s8 : tensor<128x2xf8E8M0FNU> by %s8 : tensor<128x2xf8E8M0FNU> {atom = #nv_tileas.atom<"tcgen05_mma">, two_cta = true} : tensor<128x64xf8E4M3FN>, tensor<128x64xf8E5M2>, tensor<128x128xf32> -> tensor<128x128xf32>
  // mxf4
  // CHECK: nv_tileas.block_scaled_mma
  %1 = nv_tileas.block_scaled_mma %a4, %a4, %c scale %s8 : tensor<128x2xf8E8M0FNU> by %s8 : tensor<128x2xf8E8M0FNU> {atom = #nv_tileas.atom<"tcgen05_mma">} : tensor<128x64xf4E2M1FN>, tensor<128x64xf4E2M1FN>, tensor<128x128xf32> -> tensor<128x128xf32>
  // nvf4
  // CHECK: nv_tileas.block_scaled_mma
  %2 = nv_tileas.block_scaled_mma %a4, %a4, %c scale %n4 : tensor<128x4xf8E4M3FN> by %n4 : tensor<128x4xf8E4M3FN> {atom = #nv_tileas.atom<"tcgen05_mma">, two_cta = true} : tensor<128x64xf4E2M1FN>, tensor<128x64xf4E2M1FN>, tensor<128x128xf32> -> tensor<128x128xf32>
  nv_tileaa.return
}

// CHECK-LABEL: @reductions
nv_tileaa.func @reductions(%x: tensor<64x32xf32>, %n: tensor<64x32xi32>, %v: tensor<32xf32>) {
  // CHECK: nv_tileas.reduce %{{.*}} axis 1 attributes {identities = [0.000000e+00 : f32]} : tensor<64x32xf32> -> tensor<64xf32> {
  %0 = nv_tileas.reduce %x axis 1 attributes {identities = [0.0 : f32]} : tensor<64x32xf32> -> tensor<64xf32> {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    nv_tileas.yield %s : f32
  }
  // Two inputs: values and positions.
  // CHECK: nv_tileas.reduce %{{.*}}, %{{.*}} axis 0 : tensor<64x32xf32>, tensor<64x32xi32> -> tensor<32xf32>, tensor<32xi32> {
  %1:2 = nv_tileas.reduce %x, %n axis 0 : tensor<64x32xf32>, tensor<64x32xi32> -> tensor<32xf32>, tensor<32xi32> {
  ^bb0(%l: f32, %i: i32, %r: f32, %j: i32):
    nv_tileas.yield %l, %i : f32, i32
  }
  // CHECK: nv_tileas.reduce %{{.*}} axis 0 : tensor<32xf32> -> f32 {
  %2 = nv_tileas.reduce %v axis 0 : tensor<32xf32> -> f32 {
  ^bb0(%l: f32, %r: f32):
    nv_tileas.yield %l : f32
  }
  // CHECK: nv_tileas.scan %{{.*}} axis 1 attributes {reverse = true} : tensor<64x32xf32> -> tensor<64x32xf32> {
  %3 = nv_tileas.scan %x axis 1 attributes {reverse = true} : tensor<64x32xf32> -> tensor<64x32xf32> {
  ^bb0(%l: f32, %r: f32):
    nv_tileas.yield %r : f32
  }
  nv_tileaa.return
}
