// RUN: orison-opt --split-input-file --verify-diagnostics %s

nv_tileaa.func @case0() {
  // expected-error @+1 {{expects an axis from 0 to 2, but got 3}}
  %0 = nv_tileaa.get_program_id axis 3
  nv_tileaa.return
}

// -----

nv_tileaa.func @no_coordinates() {
  // expected-error @+1 {{expects one to three coordinates, but got 0}}
  %0 = "nv_tileaa.is_valid_program_id"() : () -> i1
  nv_tileaa.return
}

// -----

nv_tileaa.func @case1(%m: !nv_tileaa.memref<?x?xf16>) {
  // expected-error @+1 {{expects a view of the rank of the memory (2), but got rank 1}}
  %0 = nv_tileaa.block_tile %m : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<8xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case2(%m: !nv_tileaa.memref<?xf16>) {
  // expected-error @+1 {{tile element type must match view element type}}
  %0 = nv_tileaa.block_tile %m : !nv_tileaa.memref<?xf16> -> !nv_tileaa.tiled_view<8xf32, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case3(%m: !nv_tileaa.memref<?xf16>) {
  // expected-error @+1 {{expects a view of static shape}}
  %0 = nv_tileaa.block_tile %m : !nv_tileaa.memref<?xf16> -> !nv_tileaa.tiled_view<?xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case4(%m: !nv_tileaa.memref<?xf16>) {
  // expected-error @+1 {{expects a view in gmem, like the memory}}
  %0 = nv_tileaa.block_tile %m : !nv_tileaa.memref<?xf16> -> !nv_tileaa.tiled_view<8xf16, smem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case5(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @+1 {{expects a pointer to the element type of the memory, but got '!nv_tileaa.ptr<f32>'}}
  %0 = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case6(%p: !nv_tileaa.ptr<f32>, %n: index) {
  // expected-error @+1 {{expects 2 sizes, one for each dynamic extent, but got 1}}
  %0 = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<?x?xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case7(%p: !nv_tileaa.ptr<f32>, %n: index) {
  // expected-error @+1 {{expects zero strides or 2, one for each axis, but got 1}}
  %0 = nv_tileaa.make_memref %p strides[%n] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<8x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case8(%p: !nv_tileaa.ptr<f32>, %n: tensor<4xi32>) {
  // expected-error @+1 {{expects an offset of the shape of the base}}
  %0 = nv_tileaa.addptr %p, %n : !nv_tileaa.ptr<f32>, tensor<4xi32> -> !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @case9(%p: !nv_tileaa.ptr<f32>, %n: i32) {
  // expected-error @+1 {{expects a result of the type of the base}}
  %0 = nv_tileaa.addptr %p, %n : !nv_tileaa.ptr<f32>, i32 -> !nv_tileaa.ptr<f16>
  nv_tileaa.return
}
