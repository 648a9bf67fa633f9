// RUN: orison-opt --split-input-file --verify-diagnostics %s

nv_tileaa.func @case0(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{tiled memop coordinate count does not match the view rank}}
  %0 = nv_tileas.tiled_load %v[%i] : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case1(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{tiled memop coordinate count does not match the view rank}}
  %0 = nv_tileas.tiled_load %v[%i, %i] {atom = #nv_tileas.atom<"tma_load_2d", leading_offset>} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case2(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index, %k: i32) {
  // expected-error @+1 {{tiled memop coordinates must be index-typed}}
  %0 = "nv_tileas.tiled_load"(%v, %i, %k) <{operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (!nv_tileaa.tiled_view<16x8xf32, gmem>, index, i32) -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case3(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index, %m: !nv_tileaa.mem_token) {
  // expected-error @+1 {{tiled memop token segment must hold zero or one value}}
  %0 = "nv_tileas.tiled_load"(%v, %i, %i, %m, %m) <{operandSegmentSizes = array<i32: 1, 2, 0, 2>}> : (!nv_tileaa.tiled_view<16x8xf32, gmem>, index, index, !nv_tileaa.mem_token, !nv_tileaa.mem_token) -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case4(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{'operandSegmentSizes' attribute for specifying operand segments must have 4 elements, but got 3}}
  %0 = "nv_tileas.tiled_load"(%v, %i, %i) <{operandSegmentSizes = array<i32: 1, 2, 0>}> : (!nv_tileaa.tiled_view<16x8xf32, gmem>, index, index) -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case5(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{expects zero offsets or 2, one for each axis, but got 1}}
  %0 = nv_tileas.tiled_load %v[%i, %i] offset[%i] : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case6(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{tile shape must match tensor shape}}
  %0 = nv_tileas.tiled_load %v[%i, %i] : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<8x16xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case7(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{tile element type must match view element type}}
  %0 = nv_tileas.tiled_load %v[%i, %i] : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case8(%v: !nv_tileaa.tiled_view<12x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{tile dimensions must be positive powers of two}}
  %0 = nv_tileas.tiled_load %v[%i, %i] : !nv_tileaa.tiled_view<12x8xf32, gmem> -> tensor<12x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case9(%v: !nv_tileaa.tiled_view<0x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{tile dimensions must be positive powers of two}}
  %0 = nv_tileas.tiled_load %v[%i, %i] : !nv_tileaa.tiled_view<0x8xf32, gmem> -> tensor<0x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case10(%v: !nv_tileaa.tiled_view<4096x4096xf32, gmem>, %i: index) {
  // expected-error @+1 {{tile total element count exceeds the implementation limit}}
  %0 = nv_tileas.tiled_load %v[%i, %i] : !nv_tileaa.tiled_view<4096x4096xf32, gmem> -> tensor<4096x4096xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case11(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{mem_scope not supported when mem_semantic is weak}}
  %0 = nv_tileas.tiled_load %v[%i, %i] {mem_scope = "gpu"} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case12(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{mem_scope required when mem_semantic is not weak}}
  %0 = nv_tileas.tiled_load %v[%i, %i] {mem_semantic = "relaxed"} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case13(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{unsupported mem_scope: world}}
  %0 = nv_tileas.tiled_load %v[%i, %i] {mem_semantic = "relaxed", mem_scope = "world"} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case14(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{unsupported mem_semantic: acq_rel}}
  %0 = nv_tileas.tiled_load %v[%i, %i] {mem_semantic = "acq_rel", mem_scope = "gpu"} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case15(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{unsupported mem_semantic: release}}
  %0 = nv_tileas.tiled_load %v[%i, %i] {mem_semantic = "release", mem_scope = "gpu"} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case16(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{incorrect number of in_bounds elements: expected 2, but found 1}}
  %0 = nv_tileas.tiled_load %v[%i, %i] {in_bounds = array<i1: true>} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case17(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{inbounds must be false when paddingValue is set}}
  %0 = nv_tileas.tiled_load %v[%i, %i] {in_bounds = array<i1: true, true>, padding_value = 0.0 : f32} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case18(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{expects a padding value of the element type}}
  %0 = nv_tileas.tiled_load %v[%i, %i] {padding_value = 0.0 : f16} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case19(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{expected a TMA load atom}}
  %0 = nv_tileas.tiled_load %v[%i, %i] {atom = #nv_tileas.atom<"tma_store_2d", box = [16, 8]>} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case20(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{TMA box dimensions do not match atom box dimensions}}
  %0 = nv_tileas.tiled_load %v[%i, %i] {atom = #nv_tileas.atom<"tma_load_2d", box = [8, 8]>} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case21(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{requires the atom of the operation for all results}}
  %0 = nv_tileas.tiled_load %v[%i, %i] {atom = #nv_tileas.atom<"ldg_128">} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32, #nv_tileas.atom<"ldg_64">>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case22(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index, %t: tensor<16x8xf32>) {
  // expected-error @+1 {{unsupported mem_semantic: acquire}}
  nv_tileas.tiled_store %t, %v[%i, %i] {mem_semantic = "acquire", mem_scope = "gpu"} : tensor<16x8xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case23(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index, %t: tensor<16x8xf32>) {
  // expected-error @+1 {{unsupported mem_semantic: acq_rel}}
  nv_tileas.tiled_store %t, %v[%i, %i] {mem_semantic = "acq_rel", mem_scope = "gpu"} : tensor<16x8xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case24(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index, %t: tensor<16x8xf32>) {
  // expected-error @+1 {{inbounds must be true when paddingValue is not set}}
  nv_tileas.tiled_store %t, %v[%i, %i] {in_bounds = array<i1: true, false>} : tensor<16x8xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case25(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index, %t: tensor<16x8xf32>) {
  // expected-error @+1 {{inbounds must be false when paddingValue is set}}
  nv_tileas.tiled_store %t, %v[%i, %i] {in_bounds = array<i1: true, false>, padding_value = 0.0 : f32} : tensor<16x8xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case26(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index, %t: tensor<16x8xf32>) {
  // expected-error @+1 {{expected a TMA store atom}}
  nv_tileas.tiled_store %t, %v[%i, %i] {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 8]>} : tensor<16x8xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case27(%v: !nv_tileaa.tiled_view<8xi8, gmem>, %i: index, %t: tensor<8xi8>) {
  // expected-error @+1 {{tiled_atomic_rmw not supported for 8-bit types}}
  %0 = nv_tileas.tiled_atomic_rmw "add" %v[%i] by %t : !nv_tileaa.tiled_view<8xi8, gmem> by tensor<8xi8> -> tensor<8xi8>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case28(%v: !nv_tileaa.tiled_view<8xi16, gmem>, %i: index, %t: tensor<8xi16>) {
  // expected-error @+1 {{tiled_atomic_rmw not supported for 16-bit integer}}
  %0 = nv_tileas.tiled_atomic_rmw "add" %v[%i] by %t : !nv_tileaa.tiled_view<8xi16, gmem> by tensor<8xi16> -> tensor<8xi16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case29(%v: !nv_tileaa.tiled_view<8xf16, gmem>, %i: index, %t: tensor<8xf16>) {
  // expected-error @+1 {{tiled_atomic_rmw for 16-bit float only supports add, max, min operations}}
  %0 = nv_tileas.tiled_atomic_rmw "and" %v[%i] by %t : !nv_tileaa.tiled_view<8xf16, gmem> by tensor<8xf16> -> tensor<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case30(%v: !nv_tileaa.tiled_view<8xi32, gmem>, %i: index, %t: tensor<8xi32>) {
  // expected-error @+1 {{unsupported rmw_mode: xchg}}
  %0 = nv_tileas.tiled_atomic_rmw "xchg" %v[%i] by %t : !nv_tileaa.tiled_view<8xi32, gmem> by tensor<8xi32> -> tensor<8xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case31(%v: !nv_tileaa.tiled_view<8xf32, gmem>, %i: index, %t: tensor<8xf32>) {
  // expected-error @+1 {{unsupported rmw_mode: addf}}
  %0 = nv_tileas.tiled_atomic_rmw "addf" %v[%i] by %t : !nv_tileaa.tiled_view<8xf32, gmem> by tensor<8xf32> -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case32(%v: !nv_tileaa.tiled_view<8xf32, gmem>, %i: index, %t: tensor<8xf32>) {
  // expected-error @+1 {{unsupported rmw_mode: xor}}
  %0 = nv_tileas.tiled_atomic_rmw "xor" %v[%i] by %t : !nv_tileaa.tiled_view<8xf32, gmem> by tensor<8xf32> -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case33(%v: !nv_tileaa.tiled_view<8xi32, gmem>, %i: index, %t: tensor<8xi32>) {
  // expected-error @+1 {{expects 2 values for rmw_mode 'cmpxchg', but got 1}}
  %0 = nv_tileas.tiled_atomic_rmw "cmpxchg" %v[%i] by %t : !nv_tileaa.tiled_view<8xi32, gmem> by tensor<8xi32> -> tensor<8xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case34(%v: !nv_tileaa.tiled_view<8xf32, gmem>, %i: index, %t: tensor<8xf32>) {
  // expected-error @+1 {{expected a TMA reduce atom}}
  %0 = nv_tileas.tiled_atomic_rmw "add" %v[%i] by %t {atom = #nv_tileas.atom<"tma_load_1d">} : !nv_tileaa.tiled_view<8xf32, gmem> by tensor<8xf32> -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case35(%v: !nv_tileaa.tiled_view<8xf32, gmem>, %i: index, %t: tensor<8xf32>) {
  // expected-error @+1 {{requires attribute 'rmw_mode'}}
  %0 = "nv_tileas.tiled_atomic_rmw"(%v, %t, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!nv_tileaa.tiled_view<8xf32, gmem>, tensor<8xf32>, index) -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case36(%p: tensor<8x!nv_tileaa.ptr<f32>>) {
  // expected-error @+1 {{expects pointers to the element type of the tile}}
  %0 = nv_tileas.load %p : tensor<8x!nv_tileaa.ptr<f32>> -> tensor<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case37(%p: tensor<8x!nv_tileaa.ptr<f32>>) {
  // expected-error @+1 {{requires the same shape for all operands and results}}
  %0 = nv_tileas.load %p : tensor<8x!nv_tileaa.ptr<f32>> -> tensor<4xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case38(%p: tensor<8x!nv_tileaa.ptr<f32>>, %o: tensor<8xf32>) {
  // expected-error @+1 {{expects a mask when there is another value}}
  %0 = nv_tileas.load %p other %o : tensor<8xf32> : tensor<8x!nv_tileaa.ptr<f32>> -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case39(%p: tensor<8x!nv_tileaa.ptr<f32>>, %m: tensor<8xi1>, %o: tensor<8xf16>) {
  // expected-error @+1 {{expects the other value to be of the element type of the tile}}
  %0 = nv_tileas.load %p mask %m : tensor<8xi1> other %o : tensor<8xf16> : tensor<8x!nv_tileaa.ptr<f32>> -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case40(%p: tensor<8x!nv_tileaa.ptr<f32>>, %m: tensor<8xi8>) {
  // expected-error @+1 {{operand #1 must be mask (i1 or tile of i1)}}
  %0 = nv_tileas.load %p mask %m : tensor<8xi8> : tensor<8x!nv_tileaa.ptr<f32>> -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case41(%p: tensor<8x!nv_tileaa.ptr<f32>, #nv_tileas.layout<"8,1">>) {
  // expected-error @+1 {{requires the same encoding for all operands and results}}
  %0 = nv_tileas.load %p : tensor<8x!nv_tileaa.ptr<f32>, #nv_tileas.layout<"8,1">> -> tensor<8xf32, #nv_tileas.layout<"8,2">>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case42(%p: tensor<8x!nv_tileaa.ptr<f32>>, %t: tensor<4xf32>) {
  // expected-error @+1 {{requires the same shape for all operands}}
  nv_tileas.store %p, %t : tensor<8x!nv_tileaa.ptr<f32>>, tensor<4xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case43(%p: tensor<8x!nv_tileaa.ptr<f32>>, %t: tensor<8xf16>) {
  // expected-error @+1 {{expects pointers to the element type of the tile}}
  nv_tileas.store %p, %t : tensor<8x!nv_tileaa.ptr<f32>>, tensor<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case44(%p: tensor<8x!nv_tileaa.ptr<f32>, #nv_tileas.layout<"8,1">>, %t: tensor<8xf32, #nv_tileas.layout<"8,2">>) {
  // expected-error @+1 {{requires the same encoding for all operands}}
  nv_tileas.store %p, %t : tensor<8x!nv_tileaa.ptr<f32>, #nv_tileas.layout<"8,1">>, tensor<8xf32, #nv_tileas.layout<"8,2">>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case45(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %at: tensor<4xi32>) {
  // expected-error @+1 {{expects 2 index tiles, but got 1}}
  %0 = nv_tileas.gather_load %v at(%at : tensor<4xi32>) : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<4xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case46(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %at: tensor<4xi32>) {
  // expected-error @+1 {{expects indices and mask of the shape of the tile}}
  %0 = nv_tileas.gather_load %v at(%at, %at : tensor<4xi32>, tensor<4xi32>) : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case47(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %at: tensor<4xi32>, %t: tensor<4xf32>) {
  // expected-error @+1 {{padding_value not supported for scatter}}
  nv_tileas.scatter_store %t, %v at(%at, %at : tensor<4xi32>, tensor<4xi32>) {padding_value = 0.0 : f32} : tensor<4xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case48(%a: !nv_tileas.tiled_view<8xf16, gmem>, %b: !nv_tileas.tiled_view<8xf16, gmem>) {
  // expected-error @+1 {{expects a legal copy pair, but got gmem to gmem}}
  nv_tileas.copy %a to %b {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, gmem> to !nv_tileas.tiled_view<8xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case49(%a: !nv_tileas.tiled_view<8xf16, gmem>, %b: !nv_tileas.tiled_view<8xf16, tmem>) {
  // expected-error @+1 {{expects a legal copy pair, but got gmem to tmem}}
  nv_tileas.copy %a to %b {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, gmem> to !nv_tileas.tiled_view<8xf16, tmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case50(%a: !nv_tileas.tiled_view<8xf16, smem>, %b: !nv_tileas.tiled_view<8xf16, smem>) {
  // expected-error @+1 {{expects a legal copy pair, but got smem to smem}}
  nv_tileas.copy %a to %b {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, smem> to !nv_tileas.tiled_view<8xf16, smem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case51(%a: !nv_tileas.tiled_view<8xf16, tmem>, %b: !nv_tileas.tiled_view<8xf16, smem>) {
  // expected-error @+1 {{expects a legal copy pair, but got tmem to smem}}
  nv_tileas.copy %a to %b {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, tmem> to !nv_tileas.tiled_view<8xf16, smem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case52(%a: !nv_tileas.tiled_view<8xf16, tmem>, %b: !nv_tileas.tiled_view<8xf16, gmem>) {
  // expected-error @+1 {{expects a legal copy pair, but got tmem to gmem}}
  nv_tileas.copy %a to %b {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, tmem> to !nv_tileas.tiled_view<8xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case53(%a: !nv_tileas.tiled_view<8xf16, tmem>, %b: !nv_tileas.tiled_view<8xf16, tmem>) {
  // expected-error @+1 {{expects a legal copy pair, but got tmem to tmem}}
  nv_tileas.copy %a to %b {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, tmem> to !nv_tileas.tiled_view<8xf16, tmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case54(%a: tensor<8xf16>) {
  // expected-error @+1 {{expects an operand or the result in memory}}
  %0 = nv_tileas.copy %a {atom = #nv_tileas.atom<"mov">} : tensor<8xf16> -> tensor<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case55(%a: !nv_tileas.tiled_view<8xf16, smem>) {
  // expected-error @+1 {{expects either a destination or a result tile}}
  nv_tileas.copy %a {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, smem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case56(%a: !nv_tileas.tiled_view<8xf16, smem>, %b: tensor<8xf16>) {
  // expected-error @+1 {{expects either a destination or a result tile}}
  %0 = nv_tileas.copy %a to %b {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, smem> to tensor<8xf16> -> tensor<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case57(%a: !nv_tileas.tiled_view<8xf16, smem>) {
  // expected-error @+1 {{expects source and target of the same element type}}
  %0 = nv_tileas.copy %a {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, smem> -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case58(%a: !nv_tileas.tiled_view<8xf16, smem>) {
  // expected-error @+1 {{expects source and target of the same shape}}
  %0:2 = nv_tileas.async.copy %a {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, smem> -> tensor<4xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case59(%a: !nv_tileas.tiled_view<8xf16, smem>) {
  // expected-error @+1 {{requires attribute 'atom'}}
  %0 = nv_tileas.copy %a : !nv_tileas.tiled_view<8xf16, smem> -> tensor<8xf16>
  nv_tileaa.return
}

// -----

// A copy to the slot of a stage has the payload type of the stage.
func.func @slot_of_another_type(%p: !nv_tileas.pipeline, %it: !nv_tileas.iter<producer>, %x: tensor<16x16xf32>) {
  %own = nv_tileas.async.pipeline.producer_acquire %p, %it : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<16x16xf16>] {
  ^bb0(%slot: tensor<16x16xf16>):
    // expected-error @+1 {{expects a source of the type of the slot}}
    nv_tileas.copy %x to %slot {atom = #nv_tileas.atom<"sts">} : tensor<16x16xf32> to tensor<16x16xf16>
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

// Scalars can be copied only to a slot of a pipeline.
func.func @number_to_memory(%x: index, %v: !nv_tileas.tiled_view<1xf32, smem>) {
  // expected-error @+1 {{expects scalars only to be copied to a slot of a pipeline}}
  nv_tileas.copy %x to %v {atom = #nv_tileas.atom<"sts">} : index to !nv_tileas.tiled_view<1xf32, smem>
  return
}

// -----

// A known atom must match its operation.
nv_tileaa.func @store_atom_on_load(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{'nv_tileas.tiled_load' op expected a load atom}}
  %0 = nv_tileas.tiled_load %v[%i, %i] {atom = #nv_tileas.atom<"stg_128">} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @product_atom_on_load(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{'nv_tileas.tiled_load' op expected a load atom}}
  %0 = nv_tileas.tiled_load %v[%i, %i] {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @load_atom_on_store(%t: tensor<16x8xf32>, %v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  // expected-error @+1 {{'nv_tileas.tiled_store' op expected a store atom}}
  nv_tileas.tiled_store %t, %v[%i, %i] {atom = #nv_tileas.atom<"ldg_128">} : tensor<16x8xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileaa.return
}
