// RUN: orison-opt --split-input-file --verify-diagnostics %s

nv_tileaa.func @case0(%v: !nv_tileaa.tiled_view<64x64xf16, gmem>) {
  // expected-error @+1 {{expected a TMA load atom}}
  %0 = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"wgmma">} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case1(%v: !nv_tileas.tiled_view<64x64xf16, smem>) {
  // expected-error @+1 {{expects a view of global memory}}
  %0 = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>} : !nv_tileas.tiled_view<64x64xf16, smem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case2(%v: !nv_tileaa.tiled_view<64x64xf16, gmem>) {
  // expected-error @+1 {{TMA box dimensions do not match atom box dimensions}}
  %0 = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 32]>} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case3(%v: !nv_tileaa.tiled_view<64x64xf16, gmem>) {
  %c32 = arith.constant 32 : index
  // expected-error @+1 {{TMA box dimensions do not match atom box dimensions}}
  %0 = nv_tileas.make_tiled_tma_desc %v box[%c32, %c32] {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case4(%v: !nv_tileaa.tiled_view<64x64xf16, gmem>, %i: index) {
  // expected-error @+1 {{TMA box dimensions do not match atom box dimensions}}
  %0 = nv_tileas.make_tiled_tma_desc %v box[%i] {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case5(%v: !nv_tileaa.tiled_view<64x64xf16, gmem, strided<[1, 64]>>) {
  // expected-error @+1 {{TMA descriptors require unit element stride}}
  %0 = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>} : !nv_tileaa.tiled_view<64x64xf16, gmem, strided<[1, 64]>>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case6(%p: !nv_tileaa.ptr<f16>, %n: index) {
  %c2 = arith.constant 2 : index
  %m = nv_tileaa.make_memref %p sizes[%n, %n] strides[%n, %c2] : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?x?xf16>
  %v = nv_tileaa.block_tile %m : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  // expected-error @+1 {{TMA descriptors require unit element stride}}
  %0 = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case7(%v: !nv_tileaa.tiled_view<64x4xf16, gmem>) {
  // expected-error @+1 {{TMA box rows must be a multiple of 16 bytes}}
  %0 = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 4]>} : !nv_tileaa.tiled_view<64x4xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case8(%v: !nv_tileaa.tiled_view<64x64xf16, gmem>) {
  // expected-error @+1 {{TMA descriptors require a pointer aligned to 128 bytes}}
  %0 = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, alignment = 64 : i32} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case9(%v: !nv_tileaa.tiled_view<64x64xf16, gmem>) {
  // expected-error @+1 {{unsupported swizzle_mode: 16B}}
  %0 = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, swizzle_mode = "16B"} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case10(%v: !nv_tileaa.tiled_view<64x64xf16, gmem>) {
  // expected-error @+1 {{unsupported oob_mode: wrap}}
  %0 = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, oob_mode = "wrap"} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case11(%v: !nv_tileaa.tiled_view<64x64xf16, gmem>) {
  // expected-error @+1 {{expects tmaIdx to be non-negative}}
  %0 = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, tmaIdx = -1 : i32} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case12(%c: i1, %x: !nv_tileaa.tiled_view<64x64xf16, gmem>, %y: !nv_tileaa.tiled_view<64x64xf16, gmem>) {
  %v = scf.if %c -> (!nv_tileaa.tiled_view<64x64xf16, gmem>) {
    scf.yield %x : !nv_tileaa.tiled_view<64x64xf16, gmem>
  } else {
    scf.yield %y : !nv_tileaa.tiled_view<64x64xf16, gmem>
  }
  // expected-error @+1 {{TMA descriptor capture references a non-representable value}}
  %0 = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case13(%c: i1, %x: !nv_tileaa.tiled_view<64x64xf16, gmem>, %y: !nv_tileaa.tiled_view<64x64xf16, gmem>) {
  %v = arith.select %c, %x, %y : !nv_tileaa.tiled_view<64x64xf16, gmem>
  // expected-error @+1 {{TMA descriptor capture references a non-representable value}}
  %0 = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case14(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{expected a TMA load atom}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] to %b barrier %o {atom = #nv_tileas.atom<"tma_store_2d">} : !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @case15(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{TMA box dimensions do not match atom box dimensions}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] to %b barrier %o {atom = #nv_tileas.atom<"tma_load_2d", box = [32, 64]>} : !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @case16(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{tiled memop coordinate count does not match the view rank}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i] to %b barrier %o {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>} : !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @case17(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{expects tx_count to be the 8192 bytes of the box, but got 64}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] to %b barrier %o {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, tx_count = 64 : i32} : !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @case18(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{TmaLoad only support zero padding now}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] to %b barrier %o {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, padding_value = 1.0 : f16} : !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @case19(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{expects a padding value of the element type}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] to %b barrier %o {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, padding_value = 0.0 : f32} : !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @case20(%d: !nv_tileas.tma_desc, %b: !nv_tileaa.tiled_view<64x64xf16, gmem>, %i: index, %o: !nv_tileas.producer_token) {
  // expected-error @+1 {{shared-memory layout is not TMA-compatible}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] to %b barrier %o {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>} : !nv_tileaa.tiled_view<64x64xf16, gmem>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @case21(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem, strided<[1, 64]>>, %i: index, %o: !nv_tileas.producer_token) {
  // expected-error @+1 {{shared-memory layout is not TMA-compatible}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] to %b barrier %o {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>} : !nv_tileas.tiled_view<64x64xf16, smem, strided<[1, 64]>>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @case22(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{expected a TMA store atom}}
  %0 = nv_tileas.async.tiled_tma_store %b to %d[%i, %i] {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>} : !nv_tileas.tiled_view<64x64xf16, smem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case23(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{expected a TMA load atom}}
  %0 = nv_tileas.async.gather_tma_load %d[%i] lanes %r to %b barrier %o {atom = #nv_tileas.atom<"ldg">} : tensor<64xi32>, !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @case24(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{GatherTmaLoad only support zero padding now}}
  %0 = nv_tileas.async.gather_tma_load %d[%i] lanes %r to %b barrier %o {atom = #nv_tileas.atom<"tma_gather4">, padding_value = 1.0 : f16} : tensor<64xi32>, !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @case25(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{expected a TMA store atom}}
  %0 = nv_tileas.async.scatter_tma_store %b to %d[%i] lanes %r {atom = #nv_tileas.atom<"tma_gather4">} : !nv_tileas.tiled_view<64x64xf16, smem>, tensor<64xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case26(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{padding_value not supported for scatter}}
  %0 = nv_tileas.async.scatter_tma_store %b to %d[%i] lanes %r {atom = #nv_tileas.atom<"tma_scatter4">, padding_value = 0.0 : f16} : !nv_tileas.tiled_view<64x64xf16, smem>, tensor<64xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case27(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>, %k: i32) {
  // expected-error @+1 {{tiled memop coordinates must be index-typed}}
  %0 = "nv_tileas.async.tiled_tma_store"(%d, %b, %k, %k) <{atom = #nv_tileas.atom<"tma_store_2d">, operandSegmentSizes = array<i32: 1, 1, 2>}> : (!nv_tileas.tma_desc, !nv_tileas.tiled_view<64x64xf16, smem>, i32, i32) -> !nv_tileas.async_token
  nv_tileaa.return
}
