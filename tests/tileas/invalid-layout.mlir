// RUN: orison-opt --split-input-file --verify-diagnostics %s

nv_tileaa.func @case0(%x: tensor<8xf16>) {
  // expected-error @+1 {{expects source and result of the same element type}}
  %0 = nv_tileas.convert_layout %x : tensor<8xf16> -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case1(%x: tensor<8xf16>) {
  // expected-error @+1 {{expects source and result with the same number of elements}}
  %0 = nv_tileas.convert_layout %x : tensor<8xf16> -> tensor<16xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case2(%x: tensor<8xf16, #nv_tileas.layout<"(8">>) {
  // expected-error @+1 {{expects layouts that can be decomposed}}
  %0 = nv_tileas.convert_layout %x : tensor<8xf16, #nv_tileas.layout<"(8">> -> tensor<8xf16, #nv_tileas.layout<"(8),(1)">>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case3(%x: tensor<8xf16>) {
  // expected-error @+1 {{expects source and result with the same number of elements}}
  %0 = nv_tileas.view %x : tensor<8xf16> -> tensor<4xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case4(%x: tensor<8xf16>) {
  // expected-error @+1 {{expects source and result in the same memory space}}
  %0 = nv_tileas.view %x : tensor<8xf16> -> !nv_tileas.tiled_view<8xf16, smem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case5(%x: f16) {
  // expected-error @+1 {{expects a tile or buffer as source}}
  %0 = nv_tileas.view %x : f16 -> tensor<1xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case6(%x: tensor<8xf16>) {
  // expected-error @+1 {{expects an axis up to the rank 1, but got 2}}
  %0 = nv_tileas.expand_dims %x axis 2 : tensor<8xf16> -> tensor<8x1xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case7(%x: tensor<8xf16>) {
  // expected-error @+1 {{expects the shape of the source with one more axis of extent 1}}
  %0 = nv_tileas.expand_dims %x axis 0 : tensor<8xf16> -> tensor<8x1xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case8(%x: tensor<8xf16>) {
  // expected-error @+1 {{expects source and result with the same number of bits}}
  %0 = nv_tileas.reinterpret %x : tensor<8xf16> -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case9(%x: tensor<8xf16>) {
  // expected-error @+1 {{expects source and result in the same memory space}}
  %0 = nv_tileas.reinterpret %x : tensor<8xf16> -> !nv_tileas.tiled_view<4xf32, smem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case10(%x: tensor<8xf16>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %0 = "nv_tileas.shuffle"(%x) : (tensor<8xf16>) -> tensor<4xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case11() {
  // expected-error @+1 {{expects region argument types [index], but got: []}}
  %0 = nv_tileas.generate : tensor<8xf32> {
    %c = arith.constant 1.0 : f32
    nv_tileas.yield %c : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @case12() {
  // expected-error @+1 {{expects its region to yield [f32], but got: [index]}}
  %0 = nv_tileas.generate : tensor<8xf32> {
  ^bb0(%i: index):
    nv_tileas.yield %i : index
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @case13() {
  // expected-error @+1 {{tile dimensions must be positive powers of two}}
  %0 = nv_tileas.generate : tensor<3xindex> {
  ^bb0(%i: index):
    nv_tileas.yield %i : index
  }
  nv_tileaa.return
}
