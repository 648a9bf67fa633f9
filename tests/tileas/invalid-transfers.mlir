// RUN: orison-opt --split-input-file --verify-diagnostics %s

// Each condition of the rules for TMA, slices and layouts, alone. Cases without an expected error are the
// ones next to them that are allowed.

nv_tileaa.func @no_atom_of_tma(%v: !nv_tileaa.tiled_view<64x64xf16, gmem>) {
  // expected-error @+1 {{expected a TMA load atom}}
  %0 = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"ldg_128">} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @box_of_integers(%v: !nv_tileaa.tiled_view<64x64xf16, gmem>, %k: i32) {
  // expected-error @+1 {{expects box extents of type index}}
  %0 = "nv_tileas.make_tiled_tma_desc"(%v, %k, %k) <{atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>}> : (!nv_tileaa.tiled_view<64x64xf16, gmem>, i32, i32) -> !nv_tileas.tma_desc
  nv_tileaa.return
}

// -----

nv_tileaa.func @no_alignment(%v: !nv_tileaa.tiled_view<64x64xf16, gmem>) {
  // expected-error @+1 {{TMA descriptors require a pointer aligned to 128 bytes}}
  %0 = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, alignment = 0 : i32} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @some_alignment(%v: !nv_tileaa.tiled_view<64x64xf16, gmem>) {
  // expected-error @+1 {{TMA descriptors require a pointer aligned to 128 bytes}}
  %0 = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, alignment = 192 : i32} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  nv_tileaa.return
}

// -----

// 24 elements of 4 bits are 12 bytes.
nv_tileaa.func @rows_of_bits(%v: !nv_tileaa.tiled_view<64x24xf4E2M1FN, gmem>) {
  // expected-error @+1 {{TMA box rows must be a multiple of 16 bytes}}
  %0 = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 24]>} : !nv_tileaa.tiled_view<64x24xf4E2M1FN, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @descriptors(%v: !nv_tileaa.tiled_view<64x64xf16, gmem>, %w: !nv_tileaa.tiled_view<64x8xf16, gmem, strided<[8, 1]>>, %i: index) {
  %0 = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, alignment = 256 : i32, swizzle_mode = "128B", oob_mode = "nan", tmaIdx = 0 : i32} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  %1 = nv_tileas.make_tiled_tma_desc %w {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 8]>, swizzle_mode = "32B", oob_mode = "constant"} : !nv_tileaa.tiled_view<64x8xf16, gmem, strided<[8, 1]>>
  %c64 = arith.constant 64 : index
  %2 = nv_tileas.make_tiled_tma_desc %v box[%c64, %i] {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, swizzle_mode = "64B"} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @view_of_a_loop(%v: !nv_tileaa.tiled_view<64x64xf16, gmem>, %n: index) {
  scf.for %k = %n to %n step %n iter_args(%w = %v) -> (!nv_tileaa.tiled_view<64x64xf16, gmem>) {
    // expected-error @+1 {{TMA descriptor capture references a non-representable value}}
    %0 = nv_tileas.make_tiled_tma_desc %w {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>} : !nv_tileaa.tiled_view<64x64xf16, gmem>
    scf.yield %w : !nv_tileaa.tiled_view<64x64xf16, gmem>
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @negative_index(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{expects tmaIdx to be non-negative}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] to %b barrier %o {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, tmaIdx = -1 : i32} : !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

// A gather is no tiled load, and a scatter is no tiled store.
nv_tileaa.func @gather_loads(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{expected a TMA load atom}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] to %b barrier %o {atom = #nv_tileas.atom<"tma_gather4", box = [64, 64]>} : !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @scatter_stores(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{expected a TMA store atom}}
  %0 = nv_tileas.async.tiled_tma_store %b to %d[%i, %i] {atom = #nv_tileas.atom<"tma_scatter4", box = [64, 64]>} : !nv_tileas.tiled_view<64x64xf16, smem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @box_of_a_store(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{TMA box dimensions do not match atom box dimensions}}
  %0 = nv_tileas.async.tiled_tma_store %b to %d[%i, %i] {atom = #nv_tileas.atom<"tma_store_2d", box = [64, 32]>} : !nv_tileas.tiled_view<64x64xf16, smem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @coordinates_of_a_store(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{tiled memop coordinate count does not match the view rank}}
  %0 = nv_tileas.async.tiled_tma_store %b to %d[%i, %i, %i] {atom = #nv_tileas.atom<"tma_store_2d", box = [64, 64]>} : !nv_tileas.tiled_view<64x64xf16, smem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @leading_offset(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{tiled memop coordinate count does not match the view rank}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] to %b barrier %o {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64], leading_offset>} : !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @negative_zero(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  // expected-error @+1 {{TmaLoad only support zero padding now}}
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] to %b barrier %o {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, padding_value = -0.0 : f16} : !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @transfers(%d: !nv_tileas.tma_desc, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token, %r: tensor<64xi32>) {
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] to %b barrier %o {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, tx_count = 8192 : i32, padding_value = 0.0 : f16} : !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  %1 = nv_tileas.async.tiled_tma_load %d[%i, %i, %i] to %b barrier %o {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64], leading_offset>} : !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  %2 = nv_tileas.async.gather_tma_load %d[%i] lanes %r to %b barrier %o {atom = #nv_tileas.atom<"tma_load_2d">} : tensor<64xi32>, !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @inserted_element(%x: tensor<64x64xf16>, %y: tensor<8x8xf32>) {
  // expected-error @+1 {{expects a source of the element type of the whole}}
  %0 = nv_tileas.insert_slice %y into %x[0, 0] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<64x64xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @inserted_bounds(%x: tensor<64x64xf16>, %y: tensor<8x8xf16>) {
  // expected-error @+1 {{slice runs out of bounds}}
  %0 = nv_tileas.insert_slice %y into %x[57, 0] [8, 8] [1, 1] : tensor<8x8xf16> into tensor<64x64xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @dropped_extent(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{expects a result of the sizes of the slice}}
  %0 = nv_tileas.extract_slice %x[0, 0] [8, 2] [1, 1] : tensor<64x64xf16> to tensor<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @added_extent(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{expects a result of the sizes of the slice}}
  %0 = nv_tileas.extract_slice %x[0, 0] [8, 1] [1, 1] : tensor<64x64xf16> to tensor<8x1x1xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @too_many_values(%x: tensor<64x64xf16>, %i: index) {
  // expected-error @+1 {{expects one dynamic value for each dynamic entry of the static arrays}}
  %0 = "nv_tileas.extract_slice"(%x, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 8, 8>, static_strides = array<i64: 1, 1>}> : (tensor<64x64xf16>, index) -> tensor<8x8xf16>
  nv_tileaa.return
}

// -----

// The last elements: 56 + 7, 1 + 2 * 31 and 9 * 7 are 63.
nv_tileaa.func @slices(%x: tensor<64x64xf16>, %i: index) {
  %0 = nv_tileas.extract_slice %x[56, 0] [8, 1] [1, 1] : tensor<64x64xf16> to tensor<8xf16>
  %1 = nv_tileas.extract_slice %x[1, %i] [32, 8] [2, 1] : tensor<64x64xf16> to tensor<32x8xf16>
  %2 = nv_tileas.insert_slice %0 into %x[0, 63] [8, 1] [9, 1] : tensor<8xf16> into tensor<64x64xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @zero_alignment() {
  // expected-error @+1 {{expects an alignment that is a power of two}}
  %0 = nv_tileas.alloc_tensor {alignment = 0 : i32} : tensor<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @negative_alignment() {
  // expected-error @+1 {{expects an alignment that is a power of two}}
  %0 = nv_tileas.alloc_tensor {alignment = -2147483648 : i32} : tensor<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @layout_one_part(%x: tensor<8xf16>) {
  // expected-error @+1 {{expects layouts that can be decomposed}}
  %0 = nv_tileas.convert_layout %x : tensor<8xf16> -> tensor<8xf16, #nv_tileas.layout<"(8)">>
  nv_tileaa.return
}

// -----

nv_tileaa.func @layout_empty(%x: tensor<8xf16>) {
  // expected-error @+1 {{expects layouts that can be decomposed}}
  %0 = nv_tileas.convert_layout %x : tensor<8xf16> -> tensor<8xf16, #nv_tileas.layout<"">>
  nv_tileaa.return
}

// -----

nv_tileaa.func @layout_five_parts(%x: tensor<8xf16>) {
  // expected-error @+1 {{expects layouts that can be decomposed}}
  %0 = nv_tileas.convert_layout %x : tensor<8xf16> -> tensor<8xf16, #nv_tileas.layout<"(8),(1),a,b,c">>
  nv_tileaa.return
}

// -----

nv_tileaa.func @layout_crossed(%x: tensor<8xf16>) {
  // expected-error @+1 {{expects layouts that can be decomposed}}
  %0 = nv_tileas.convert_layout %x : tensor<8xf16> -> tensor<8xf16, #nv_tileas.layout<"(8),(1))(">>
  nv_tileaa.return
}

// -----

nv_tileaa.func @layout_unopened(%x: tensor<8xf16>) {
  // expected-error @+1 {{expects layouts that can be decomposed}}
  %0 = nv_tileas.convert_layout %x : tensor<8xf16> -> tensor<8xf16, #nv_tileas.layout<"8,1>">>
  nv_tileaa.return
}

// -----

nv_tileaa.func @result_layout(%x: tensor<8xf16>) {
  // expected-error @+1 {{expects source and result of the same element type}}
  %0 = nv_tileas.view %x : tensor<8xf16> -> tensor<8xi16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @negative_axis(%x: tensor<8xf16>) {
  // expected-error @+1 {{expects an axis up to the rank 1, but got -1}}
  %0 = nv_tileas.expand_dims %x axis -1 : tensor<8xf16> -> tensor<1x8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @wide_axis(%x: tensor<8xf16>) {
  // expected-error @+1 {{expects the shape of the source with one more axis of extent 1}}
  %0 = nv_tileas.expand_dims %x axis 0 : tensor<8xf16> -> tensor<2x8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @layouts(%x: tensor<8xf16>) {
  %0 = nv_tileas.convert_layout %x : tensor<8xf16> -> tensor<8xf16, #nv_tileas.layout<"(8,(2,2)),(1),swizzle<3,4,3>,elem=f16">>
  %1 = nv_tileas.view %x : tensor<8xf16> -> tensor<2x4xf16>
  %2 = nv_tileas.expand_dims %x axis 1 : tensor<8xf16> -> tensor<8x1xf16>
  %3 = nv_tileas.reinterpret %x : tensor<8xf16> -> tensor<4xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @atoms_of_lanes_and_source(%d: !nv_tileas.tma_desc, %i: index, %b: tensor<64x64xf16, #nv_tileas.atom<"tma_scatter4">>, %r: tensor<64xi32, #nv_tileas.atom<"ldg">>) {
  // expected-error @+1 {{requires the same atom for all operands and results}}
  %0 = nv_tileas.async.scatter_tma_store %b to %d[%i] lanes %r {atom = #nv_tileas.atom<"tma_scatter4">} : tensor<64x64xf16, #nv_tileas.atom<"tma_scatter4">>, tensor<64xi32, #nv_tileas.atom<"ldg">>
  nv_tileaa.return
}

// -----

nv_tileaa.func @other_descriptor(%v: !nv_tileaa.tiled_view<64x64xf16, gmem>, %b: !nv_tileas.tiled_view<64x64xf16, smem>, %i: index, %o: !nv_tileas.producer_token) {
  %d = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, tmaIdx = 2 : i32} : !nv_tileaa.tiled_view<64x64xf16, gmem>
  %0 = nv_tileas.async.tiled_tma_load %d[%i, %i] to %b barrier %o {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, tmaIdx = 2 : i32} : !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  %1 = nv_tileas.async.tiled_tma_load %d[%i, %i] to %b barrier %o {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>} : !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  // expected-error @+1 {{tmaIdx 1 is not that of its descriptor, 2}}
  %2 = nv_tileas.async.tiled_tma_load %d[%i, %i] to %b barrier %o {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, tmaIdx = 1 : i32} : !nv_tileas.tiled_view<64x64xf16, smem>, !nv_tileas.producer_token
  nv_tileaa.return
}
