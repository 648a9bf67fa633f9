// RUN: orison-opt --split-input-file --verify-diagnostics %s

// Shapes and types of products: in each case one extent or type differs. Cases without an expected
// error are the ones next to them that are allowed.

nv_tileaa.func @batch_of_c(%a: tensor<2x64x32xf16>, %b: tensor<2x32x128xf16>, %c: tensor<4x64x128xf32>) {
  // expected-error @+1 {{expects a of M x K, b of K x N or N x K, and c of M x N}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<2x64x32xf16>, tensor<2x32x128xf16>, tensor<4x64x128xf32> -> tensor<4x64x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @no_batch_of_c(%a: tensor<2x64x32xf16>, %b: tensor<2x32x128xf16>, %c: tensor<64x128xf32>) {
  // expected-error @+1 {{expects a of M x K, b of K x N or N x K, and c of M x N}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<2x64x32xf16>, tensor<2x32x128xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @batch_of_b(%a: tensor<2x64x32xf16>, %b: tensor<4x32x128xf16>, %c: tensor<2x64x128xf32>) {
  // expected-error @+1 {{expects a of M x K, b of K x N or N x K, and c of M x N}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<2x64x32xf16>, tensor<4x32x128xf16>, tensor<2x64x128xf32> -> tensor<2x64x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @two_batches(%a: tensor<2x2x64x32xf16>, %b: tensor<2x2x32x128xf16>, %c: tensor<2x2x64x128xf32>) {
  // expected-error @+1 {{expects a of M x K, b of K x N or N x K, and c of M x N}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<2x2x64x32xf16>, tensor<2x2x32x128xf16>, tensor<2x2x64x128xf32> -> tensor<2x2x64x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @vectors(%a: tensor<32xf16>, %b: tensor<32x128xf16>, %c: tensor<64x128xf32>) {
  // expected-error @+1 {{expects a of M x K, b of K x N or N x K, and c of M x N}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<32xf16>, tensor<32x128xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  nv_tileaa.return
}

// -----

// K of a transposed b fits, and N does not.
nv_tileaa.func @columns_of_c(%a: tensor<64x32xf16>, %b: tensor<128x32xf16>, %c: tensor<64x64xf32>) {
  // expected-error @+1 {{expects a of M x K, b of K x N or N x K, and c of M x N}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<64x32xf16>, tensor<128x32xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  nv_tileaa.return
}

// -----

// K of a straight b fits, and N does not.
nv_tileaa.func @columns_of_b(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>, %c: tensor<64x64xf32>) {
  // expected-error @+1 {{expects a of M x K, b of K x N or N x K, and c of M x N}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<64x32xf16>, tensor<32x128xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  nv_tileaa.return
}

// -----

// An asynchronous product follows the same rules.
nv_tileaa.func @async_batch(%a: tensor<2x64x32xf16>, %b: tensor<2x32x128xf16>, %c: tensor<4x64x128xf32>) {
  // expected-error @+1 {{expects a of M x K, b of K x N or N x K, and c of M x N}}
  %0:2 = nv_tileas.async.dot %a, %b, %c {atom = #nv_tileas.atom<"wgmma">} : tensor<2x64x32xf16>, tensor<2x32x128xf16>, tensor<4x64x128xf32> -> tensor<4x64x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @signedness_of_b(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>, %c: tensor<64x128xf32>) {
  // expected-error @+1 {{expects 'b_signedness' for integers only}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">, b_signedness = "signed"} : tensor<64x32xf16>, tensor<32x128xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @integer_and_float(%a: tensor<64x32xi8>, %b: tensor<32x128xf8E4M3FN>, %c: tensor<64x128xf32>) {
  // expected-error @+1 {{expects a and b of the same element type}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<64x32xi8>, tensor<32x128xf8E4M3FN>, tensor<64x128xf32> -> tensor<64x128xf32>
  nv_tileaa.return
}

// -----

// Only eight-bit floats of two kinds may be mixed.
nv_tileaa.func @narrow_and_half(%a: tensor<64x32xf8E4M3FN>, %b: tensor<32x128xf16>, %c: tensor<64x128xf32>) {
  // expected-error @+1 {{expects a and b of the same element type}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<64x32xf8E4M3FN>, tensor<32x128xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  nv_tileaa.return
}

// -----

// A sum of doubles needs products of doubles.
nv_tileaa.func @double_sum(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>, %c: tensor<64x128xf64>) {
  // expected-error @+1 {{expects c type to be Float32}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<64x32xf16>, tensor<32x128xf16>, tensor<64x128xf64> -> tensor<64x128xf64>
  nv_tileaa.return
}

// -----

nv_tileaa.func @allowed(%a: tensor<2x64x32xf16>, %b: tensor<2x32x128xf16>, %t: tensor<2x128x32xf16>, %c: tensor<2x64x128xf32>, %u: tensor<64x32xf64>, %v: tensor<32x128xf64>, %w: tensor<64x128xf64>, %x: tensor<64x32xf8E4M3FN>, %y: tensor<32x128xf8E5M2>, %z: tensor<64x128xf32>) {
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<2x64x32xf16>, tensor<2x32x128xf16>, tensor<2x64x128xf32> -> tensor<2x64x128xf32>
  %1 = nv_tileas.dot %a, %t, %c {atom = #nv_tileas.atom<"fma">} : tensor<2x64x32xf16>, tensor<2x128x32xf16>, tensor<2x64x128xf32> -> tensor<2x64x128xf32>
  %2 = nv_tileas.dot %u, %v, %w {atom = #nv_tileas.atom<"dmma">} : tensor<64x32xf64>, tensor<32x128xf64>, tensor<64x128xf64> -> tensor<64x128xf64>
  %3 = nv_tileas.dot %x, %y, %z {atom = #nv_tileas.atom<"a new one">} : tensor<64x32xf8E4M3FN>, tensor<32x128xf8E5M2>, tensor<64x128xf32> -> tensor<64x128xf32>
  nv_tileaa.return
}

// -----

// Blocks of 32 and of 16 elements share a scale.
nv_tileaa.func @scaled(%a: tensor<128x64xf8E4M3FN>, %f: tensor<128x64xf4E2M1FN>, %c: tensor<128x128xf32>, %s: tensor<128x2xf8E8M0FNU>, %t: tensor<128x4xf8E4M3FN>) {
  %0 = nv_tileas.block_scaled_mma %a, %a, %c scale %s : tensor<128x2xf8E8M0FNU> by %s : tensor<128x2xf8E8M0FNU> {atom = #nv_tileas.atom<"tcgen05_mma">, two_cta = true} : tensor<128x64xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<128x128xf32> -> tensor<128x128xf32>
  %1 = nv_tileas.block_scaled_mma %f, %f, %c scale %s : tensor<128x2xf8E8M0FNU> by %s : tensor<128x2xf8E8M0FNU> {atom = #nv_tileas.atom<"tcgen05_mma">} : tensor<128x64xf4E2M1FN>, tensor<128x64xf4E2M1FN>, tensor<128x128xf32> -> tensor<128x128xf32>
  %2 = nv_tileas.block_scaled_mma %f, %f, %c scale %t : tensor<128x4xf8E4M3FN> by %t : tensor<128x4xf8E4M3FN> {atom = #nv_tileas.atom<"tcgen05_mma">, two_cta = true} : tensor<128x64xf4E2M1FN>, tensor<128x64xf4E2M1FN>, tensor<128x128xf32> -> tensor<128x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @scaled_shape(%a: tensor<128x64xf8E4M3FN>, %b: tensor<64x64xf8E4M3FN>, %c: tensor<128x128xf32>, %s: tensor<128x2xf8E8M0FNU>, %t: tensor<64x2xf8E8M0FNU>) {
  // expected-error @+1 {{expects a of M x K, b of K x N or N x K, and c of M x N}}
  %0 = nv_tileas.block_scaled_mma %a, %b, %c scale %s : tensor<128x2xf8E8M0FNU> by %t : tensor<64x2xf8E8M0FNU> {atom = #nv_tileas.atom<"tcgen05_mma">} : tensor<128x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>, tensor<128x128xf32> -> tensor<128x128xf32>
  nv_tileaa.return
}

// -----

// 64 elements are not divided by three scales.
nv_tileaa.func @scaled_blocks(%a: tensor<128x64xf8E4M3FN>, %c: tensor<128x128xf32>, %s: tensor<128x3xf8E8M0FNU>) {
  // expected-error @+1 {{Scale factor vector size mismatch: 0, 0}}
  %0 = nv_tileas.block_scaled_mma %a, %a, %c scale %s : tensor<128x3xf8E8M0FNU> by %s : tensor<128x3xf8E8M0FNU> {atom = #nv_tileas.atom<"tcgen05_mma">} : tensor<128x64xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<128x128xf32> -> tensor<128x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @scaled_result(%a: tensor<128x64xf8E4M3FN>, %c: tensor<128x128xf32>, %s: tensor<128x2xf8E8M0FNU>) {
  // expected-error @+1 {{expects a result of the type of c}}
  %0 = nv_tileas.block_scaled_mma %a, %a, %c scale %s : tensor<128x2xf8E8M0FNU> by %s : tensor<128x2xf8E8M0FNU> {atom = #nv_tileas.atom<"tcgen05_mma">} : tensor<128x64xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<128x128xf32> -> tensor<128x128xf16>
  nv_tileaa.return
}

// -----

// Reductions: one identity and one result for each input, of its element type.
nv_tileaa.func @results_of_a_reduction(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{expects one result for each input, without the axis, but got: [tensor<8xf16>]}}
  %0 = nv_tileas.reduce %x axis 1 : tensor<8x4xf32> -> tensor<8xf16> {
  ^bb0(%l: f32, %r: f32):
    nv_tileas.yield %l : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @axis_of_a_reduction(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{expects an axis below the rank 2, but got -1}}
  %0 = nv_tileas.reduce %x axis -1 : tensor<8x4xf32> -> tensor<8xf32> {
  ^bb0(%l: f32, %r: f32):
    nv_tileas.yield %l : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @axis_of_a_scan(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{expects an axis below the rank 2, but got 2}}
  %0 = nv_tileas.scan %x axis 2 : tensor<8x4xf32> -> tensor<8x4xf32> {
  ^bb0(%l: f32, %r: f32):
    nv_tileas.yield %l : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @identities_of_a_scan(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{expects one identity for each input}}
  %0 = nv_tileas.scan %x axis 1 attributes {identities = [0.0 : f32, 1.0 : f32]} : tensor<8x4xf32> -> tensor<8x4xf32> {
  ^bb0(%l: f32, %r: f32):
    nv_tileas.yield %l : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @arguments_of_a_scan(%x: tensor<8x4xf32>, %y: tensor<8x4xi32>) {
  // expected-error @+1 {{expects region argument types [f32, i32, f32, i32], but got: [f32, f32, i32, i32]}}
  %0:2 = nv_tileas.scan %x, %y axis 1 : tensor<8x4xf32>, tensor<8x4xi32> -> tensor<8x4xf32>, tensor<8x4xi32> {
  ^bb0(%l: f32, %r: f32, %m: i32, %s: i32):
    nv_tileas.yield %l, %m : f32, i32
  }
  nv_tileaa.return
}

// -----

// N of an instruction: a multiple of 8 from 8 to 256.
nv_tileaa.func @columns(%a: tensor<64x64xf16>, %b: tensor<128x64xf16>, %c: tensor<64x128xf32>) {
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"wgmma_m64n8k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<128x64xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  %1 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"wgmma_m64n256k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<128x64xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  // expected-error @+1 {{WGMMA N must be a multiple of 8}}
  %2 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"wgmma_m64n12k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<128x64xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @no_columns(%a: tensor<64x64xf16>, %b: tensor<128x64xf16>, %c: tensor<64x128xf32>) {
  // expected-error @+1 {{WGMMA N must be a multiple of 8}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"wgmma_m64n0k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<128x64xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @too_many_columns(%a: tensor<64x64xf16>, %b: tensor<128x64xf16>, %c: tensor<64x128xf32>) {
  // expected-error @+1 {{WGMMA N must be a multiple of 8}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"wgmma_m64n264k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<128x64xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  nv_tileaa.return
}

// -----

// Instructions of other families have smaller ones.
nv_tileaa.func @columns_of_mma(%a: tensor<64x64xf16>, %b: tensor<128x64xf16>, %c: tensor<64x128xf32>) {
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma_m16n4k8">} : tensor<64x64xf16>, tensor<128x64xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @block_scale_on_hopper(%a: tensor<128x64xf8E4M3FN>, %b: tensor<128x64xf8E4M3FN>, %c: tensor<128x128xf32>, %s: tensor<128x2xf8E8M0FNU>) attributes {nv_tileaa.kernel_spec = {computeCapability = 90 : i32}} {
  // expected-error @+1 {{mma block scale is not supported by compute capability < sm100}}
  %0 = nv_tileas.block_scaled_mma %a, %b, %c scale %s : tensor<128x2xf8E8M0FNU> by %s : tensor<128x2xf8E8M0FNU> {atom = #nv_tileas.atom<"tcgen05_mma">} : tensor<128x64xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<128x128xf32> -> tensor<128x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @block_scale_on_blackwell(%a: tensor<128x64xf8E4M3FN>, %b: tensor<128x64xf8E4M3FN>, %c: tensor<128x128xf32>, %s: tensor<128x2xf8E8M0FNU>) attributes {nv_tileaa.kernel_spec = {computeCapability = 100 : i32}} {
  %0 = nv_tileas.block_scaled_mma %a, %b, %c scale %s : tensor<128x2xf8E8M0FNU> by %s : tensor<128x2xf8E8M0FNU> {atom = #nv_tileas.atom<"tcgen05_mma">} : tensor<128x64xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<128x128xf32> -> tensor<128x128xf32>
  nv_tileaa.return
}
