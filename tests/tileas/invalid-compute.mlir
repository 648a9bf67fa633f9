// RUN: orison-opt --split-input-file --verify-diagnostics %s

nv_tileaa.func @case0(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>, %c: tensor<64x128xf32>) {
  // expected-error @+1 {{expected an MMA atom}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"tma_load_2d">} : tensor<64x32xf16>, tensor<32x128xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case1(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>, %c: tensor<64x128xf32>) {
  // expected-error @+1 {{requires attribute 'atom'}}
  %0 = nv_tileas.dot %a, %b, %c {x} : tensor<64x32xf16>, tensor<32x128xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case2(%a: tensor<64x32xf16>, %b: tensor<64x128xf16>, %c: tensor<64x128xf32>) {
  // expected-error @+1 {{expects a of M x K, b of K x N or N x K, and c of M x N}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<64x32xf16>, tensor<64x128xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case3(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>, %c: tensor<32x128xf32>) {
  // expected-error @+1 {{expects a of M x K, b of K x N or N x K, and c of M x N}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<64x32xf16>, tensor<32x128xf16>, tensor<32x128xf32> -> tensor<32x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case4(%a: tensor<2x64x32xf16>, %b: tensor<32x128xf16>, %c: tensor<64x128xf32>) {
  // expected-error @+1 {{expects a of M x K, b of K x N or N x K, and c of M x N}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<2x64x32xf16>, tensor<32x128xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case5(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>, %c: tensor<64x128xf32>) {
  // expected-error @+1 {{expects a result of the type of c}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<64x32xf16>, tensor<32x128xf16>, tensor<64x128xf32> -> tensor<64x128xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case6(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>, %c: tensor<64x128xf16>) {
  // expected-error @+1 {{expects c type to be Float32}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<64x32xf16>, tensor<32x128xf16>, tensor<64x128xf16> -> tensor<64x128xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case7(%a: tensor<64x32xf16>, %b: tensor<32x128xbf16>, %c: tensor<64x128xf32>) {
  // expected-error @+1 {{expects a and b of the same element type}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<64x32xf16>, tensor<32x128xbf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case8(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>, %c: tensor<64x128xf32>) {
  // expected-error @+1 {{expects 'a_signedness' for integers only}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">, a_signedness = "signed"} : tensor<64x32xf16>, tensor<32x128xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case9(%a: tensor<64x32xi8>, %b: tensor<32x128xi8>, %c: tensor<64x128xi32>) {
  // expected-error @+1 {{requires attribute 'a_signedness' to be 'signed' or 'unsigned' for integers}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">} : tensor<64x32xi8>, tensor<32x128xi8>, tensor<64x128xi32> -> tensor<64x128xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case10(%a: tensor<64x32xi8>, %b: tensor<32x128xi8>, %c: tensor<64x128xi32>) {
  // expected-error @+1 {{requires attribute 'b_signedness' to be 'signed' or 'unsigned' for integers}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">, a_signedness = "signed", b_signedness = "both"} : tensor<64x32xi8>, tensor<32x128xi8>, tensor<64x128xi32> -> tensor<64x128xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case11(%a: tensor<64x32xi8>, %b: tensor<32x128xi8>, %c: tensor<64x128xi16>) {
  // expected-error @+1 {{expects c type to be 32-bit integer}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">, a_signedness = "signed", b_signedness = "signed"} : tensor<64x32xi8>, tensor<32x128xi8>, tensor<64x128xi16> -> tensor<64x128xi16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case12(%a: tensor<64x32xi8>, %b: tensor<32x128xi4>, %c: tensor<64x128xi32>) {
  // expected-error @+1 {{expects a and b of the same element width}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"mma">, a_signedness = "signed", b_signedness = "signed"} : tensor<64x32xi8>, tensor<32x128xi4>, tensor<64x128xi32> -> tensor<64x128xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case13(%a: tensor<128x64xf8E4M3FN>, %b: tensor<128x64xf8E4M3FN>, %c: tensor<128x128xf32>, %s: tensor<128x2xf8E8M0FNU>, %t: tensor<128x2xf8E8M0FNU>) {
  // expected-error @+1 {{fp4 mma should expect scaling factors}}
  %0 = nv_tileas.block_scaled_mma %a, %b, %c scale %s : tensor<128x2xf8E8M0FNU> {atom = #nv_tileas.atom<"tcgen05_mma">} : tensor<128x64xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<128x128xf32> -> tensor<128x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case14(%a: tensor<128x64xf8E4M3FN>, %b: tensor<128x64xf8E4M3FN>, %c: tensor<128x128xf16>, %s: tensor<128x2xf8E8M0FNU>, %t: tensor<128x2xf8E8M0FNU>) {
  // expected-error @+1 {{fp4 mma should expect scaling factors}}
  %0 = nv_tileas.block_scaled_mma %a, %b, %c scale %s : tensor<128x2xf8E8M0FNU> {atom = #nv_tileas.atom<"tcgen05_mma">} : tensor<128x64xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<128x128xf16> -> tensor<128x128xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case15(%a: tensor<128x64xf8E4M3FN>, %b: tensor<128x64xf8E4M3FN>, %c: tensor<128x128xf16>, %s: tensor<128x2xf8E8M0FNU>, %t: tensor<128x2xf8E4M3FN>) {
  // expected-error @+1 {{sfa and sfb element type mismatch}}
  %0 = nv_tileas.block_scaled_mma %a, %b, %c scale %s : tensor<128x2xf8E8M0FNU> by %t : tensor<128x2xf8E4M3FN> {atom = #nv_tileas.atom<"tcgen05_mma">} : tensor<128x64xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<128x128xf16> -> tensor<128x128xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case16(%a: tensor<128x64xf8E4M3FN>, %b: tensor<128x64xf8E4M3FN>, %c: tensor<128x128xf16>, %s: tensor<128x2xf8E8M0FNU>, %t: tensor<128x4xf8E8M0FNU>) {
  // expected-error @+1 {{expects c type to be Float32}}
  %0 = nv_tileas.block_scaled_mma %a, %b, %c scale %s : tensor<128x2xf8E8M0FNU> by %t : tensor<128x4xf8E8M0FNU> {atom = #nv_tileas.atom<"tcgen05_mma">} : tensor<128x64xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<128x128xf16> -> tensor<128x128xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case17(%a: tensor<128x64xf8E4M3FN>, %b: tensor<128x64xf8E4M3FN>, %c: tensor<128x128xf32>, %s: tensor<128x2xf8E8M0FNU>, %t: tensor<128x4xf8E8M0FNU>) {
  // expected-error @+1 {{Scale factor vector size mismatch: 32, 16}}
  %0 = nv_tileas.block_scaled_mma %a, %b, %c scale %s : tensor<128x2xf8E8M0FNU> by %t : tensor<128x4xf8E8M0FNU> {atom = #nv_tileas.atom<"tcgen05_mma">} : tensor<128x64xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<128x128xf32> -> tensor<128x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case18(%a: tensor<128x64xf8E4M3FN>, %b: tensor<128x64xf8E4M3FN>, %c: tensor<128x128xf32>, %s: tensor<128x4xf8E8M0FNU>, %t: tensor<128x4xf8E8M0FNU>) {
  // expected-error @+1 {{unsupported block-scaled mma configuration}}
  %0 = nv_tileas.block_scaled_mma %a, %b, %c scale %s : tensor<128x4xf8E8M0FNU> by %t : tensor<128x4xf8E8M0FNU> {atom = #nv_tileas.atom<"tcgen05_mma">} : tensor<128x64xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<128x128xf32> -> tensor<128x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case19(%a: tensor<128x64xf8E4M3FN>, %b: tensor<128x64xf8E4M3FN>, %c: tensor<128x128xf32>, %s: tensor<128x2xf8E4M3FN>, %t: tensor<128x2xf8E4M3FN>) {
  // expected-error @+1 {{unsupported block-scaled mma configuration}}
  %0 = nv_tileas.block_scaled_mma %a, %b, %c scale %s : tensor<128x2xf8E4M3FN> by %t : tensor<128x2xf8E4M3FN> {atom = #nv_tileas.atom<"tcgen05_mma">} : tensor<128x64xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<128x128xf32> -> tensor<128x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case20(%a: tensor<128x64xf4E2M1FN>, %b: tensor<128x64xf4E2M1FN>, %c: tensor<128x128xf32>, %s: tensor<128x2xf8E8M0FNU>, %t: tensor<128x2xf8E8M0FNU>) {
  // expected-error @+1 {{unsupported block-scaled mma configuration}}
  %0 = nv_tileas.block_scaled_mma %a, %b, %c scale %s : tensor<128x2xf8E8M0FNU> by %t : tensor<128x2xf8E8M0FNU> {atom = #nv_tileas.atom<"tcgen05_mma">, two_cta = true} : tensor<128x64xf4E2M1FN>, tensor<128x64xf4E2M1FN>, tensor<128x128xf32> -> tensor<128x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case21(%a: tensor<128x64xf4E2M1FN>, %b: tensor<128x64xf8E4M3FN>, %c: tensor<128x128xf32>, %s: tensor<128x2xf8E8M0FNU>, %t: tensor<128x2xf8E8M0FNU>) {
  // expected-error @+1 {{unsupported block-scaled mma configuration}}
  %0 = nv_tileas.block_scaled_mma %a, %b, %c scale %s : tensor<128x2xf8E8M0FNU> by %t : tensor<128x2xf8E8M0FNU> {atom = #nv_tileas.atom<"tcgen05_mma">} : tensor<128x64xf4E2M1FN>, tensor<128x64xf8E4M3FN>, tensor<128x128xf32> -> tensor<128x128xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case22(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{expects an axis below the rank 2, but got 2}}
  %0 = nv_tileas.reduce %x axis 2 : tensor<8x4xf32> -> tensor<8xf32> {
  ^bb0(%l: f32, %r: f32):
    nv_tileas.yield %l : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @case23(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{expects one result for each input, without the axis, but got: [tensor<4xf32>]}}
  %0 = nv_tileas.reduce %x axis 1 : tensor<8x4xf32> -> tensor<4xf32> {
  ^bb0(%l: f32, %r: f32):
    nv_tileas.yield %l : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @case24(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{expects one identity for each input}}
  %0 = nv_tileas.reduce %x axis 1 attributes {identities = []} : tensor<8x4xf32> -> tensor<8xf32> {
  ^bb0(%l: f32, %r: f32):
    nv_tileas.yield %l : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @case25(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{expects region argument types [f32, f32], but got: [f32]}}
  %0 = nv_tileas.reduce %x axis 1 : tensor<8x4xf32> -> tensor<8xf32> {
  ^bb0(%l: f32):
    nv_tileas.yield %l : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @case26(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{expects its region to yield [f32], but got: []}}
  %0 = nv_tileas.reduce %x axis 1 : tensor<8x4xf32> -> tensor<8xf32> {
  ^bb0(%l: f32, %r: f32):
    nv_tileas.yield
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @case28(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{expects results of the types of the inputs [tensor<8x4xf32>], but got: [tensor<8xf32>]}}
  %0 = nv_tileas.scan %x axis 1 : tensor<8x4xf32> -> tensor<8xf32> {
  ^bb0(%l: f32, %r: f32):
    nv_tileas.yield %l : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @case29(%x: tensor<8x4xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{expects inputs of the same shape}}
  %0:2 = nv_tileas.scan %x, %y axis 0 : tensor<8x4xf32>, tensor<4xf32> -> tensor<8x4xf32>, tensor<4xf32> {
  ^bb0(%l: f32, %m: f32, %r: f32, %s: f32):
    nv_tileas.yield %l, %m : f32, f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @case30() {
  // expected-error @+1 {{expects at least one input}}
  nv_tileas.reduce axis 0 : -> {
    nv_tileas.yield
  }
  nv_tileaa.return
}
