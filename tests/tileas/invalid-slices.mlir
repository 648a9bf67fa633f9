// RUN: orison-opt --split-input-file --verify-diagnostics %s

nv_tileaa.func @case0() {
  // expected-error @+1 {{expects a result of static shape}}
  %0 = nv_tileas.alloc_tensor : tensor<?xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case1() {
  // expected-error @+1 {{unknown memory space 'disk'}}
  %0 = nv_tileas.alloc_tensor in "disk" : tensor<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case2() {
  // expected-error @+1 {{expects a result in tmem}}
  %0 = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<8xf16, smem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case3() {
  // expected-error @+1 {{expects an alignment that is a power of two}}
  %0 = nv_tileas.alloc_tensor {alignment = 24 : i32} : tensor<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case4(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{expects 2 offsets, but got 1}}
  %0 = nv_tileas.extract_slice %x[0] [8, 8] [1, 1] : tensor<64x64xf16> to tensor<8x8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case5(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{expects 2 sizes, but got 3}}
  %0 = nv_tileas.extract_slice %x[0, 0] [8, 8, 8] [1, 1] : tensor<64x64xf16> to tensor<8x8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case6(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{expects 2 strides, but got 1}}
  %0 = nv_tileas.extract_slice %x[0, 0] [8, 8] [1] : tensor<64x64xf16> to tensor<8x8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case7(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{expects offsets to be at least 0}}
  %0 = nv_tileas.extract_slice %x[-1, 0] [8, 8] [1, 1] : tensor<64x64xf16> to tensor<8x8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case8(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{expects sizes to be at least 1}}
  %0 = nv_tileas.extract_slice %x[0, 0] [0, 8] [1, 1] : tensor<64x64xf16> to tensor<0x8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case9(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{expects strides to be at least 1}}
  %0 = nv_tileas.extract_slice %x[0, 0] [8, 8] [1, 0] : tensor<64x64xf16> to tensor<8x8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case10(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{slice runs out of bounds}}
  %0 = nv_tileas.extract_slice %x[57, 0] [8, 8] [1, 1] : tensor<64x64xf16> to tensor<8x8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case11(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{slice runs out of bounds}}
  %0 = nv_tileas.extract_slice %x[0, 0] [33, 8] [2, 1] : tensor<64x64xf16> to tensor<33x8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case12(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{expects a result of the sizes of the slice}}
  %0 = nv_tileas.extract_slice %x[0, 0] [8, 8] [1, 1] : tensor<64x64xf16> to tensor<8x4xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case13(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{expects a result of the sizes of the slice}}
  %0 = nv_tileas.extract_slice %x[0, 0] [8, 8] [1, 1] : tensor<64x64xf16> to tensor<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case14(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{expects a result of the element type of the whole}}
  %0 = nv_tileas.extract_slice %x[0, 0] [8, 8] [1, 1] : tensor<64x64xf16> to tensor<8x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case15(%x: !nv_tileas.tiled_view<64xf16, smem>) {
  // expected-error @+1 {{expects a result in the memory space of the source}}
  %0 = nv_tileas.extract_slice %x[0] [8] [1] : !nv_tileas.tiled_view<64xf16, smem> to tensor<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case16(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{expects one dynamic value for each dynamic entry of the static arrays}}
  %0 = "nv_tileas.extract_slice"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, -9223372036854775808>, static_sizes = array<i64: 8, 8>, static_strides = array<i64: 1, 1>}> : (tensor<64x64xf16>) -> tensor<8x8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case17(%x: tensor<64x64xf16>, %y: tensor<8x8xf16>) {
  // expected-error @+1 {{expects a result of the type of the destination}}
  %0 = "nv_tileas.insert_slice"(%y, %x) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 8, 8>, static_strides = array<i64: 1, 1>}> : (tensor<8x8xf16>, tensor<64x64xf16>) -> tensor<8x8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case18(%x: tensor<64x64xf16>, %y: tensor<8x4xf16>) {
  // expected-error @+1 {{expects a source of the sizes of the slice}}
  %0 = nv_tileas.insert_slice %y into %x[0, 0] [8, 8] [1, 1] : tensor<8x4xf16> into tensor<64x64xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case19(%x: !nv_tileas.tiled_view<8xf16, tmem>, %y: tensor<8xf16>, %t: !nv_tileas.async_token) {
  // expected-error @+1 {{expects result views in shared memory}}
  %0:2 = nv_tileas.async.insert_slice %y into %x[0] [8] [1] token %t : tensor<8xf16> into !nv_tileas.tiled_view<8xf16, tmem>
  nv_tileaa.return
}
