// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

!ptrs = tensor<8x!nv_tileaa.ptr<f32>>
!view = !nv_tileaa.tiled_view<16x8xf32, gmem>

// CHECK-LABEL: @pointers
nv_tileaa.func @pointers(%p: !ptrs, %mask: tensor<8xi1>, %other: tensor<8xf32>, %token: !nv_tileaa.mem_token) {
  // CHECK: nv_tileas.load %{{.*}} : tensor<8x!nv_tileaa.ptr<f32>> -> tensor<8xf32>
  %0 = nv_tileas.load %p : !ptrs -> tensor<8xf32>
  // CHECK: nv_tileas.load %{{.*}} mask %{{.*}} : tensor<8xi1> other %{{.*}} : tensor<8xf32> token %{{.*}} : !nv_tileaa.mem_token {mem_scope = "gpu", mem_semantic = "acquire"} : tensor<8x!nv_tileaa.ptr<f32>> -> tensor<8xf32>, !nv_tileaa.mem_token
  %1:2 = nv_tileas.load %p mask %mask : tensor<8xi1> other %other : tensor<8xf32> token %token : !nv_tileaa.mem_token {mem_semantic = "acquire", mem_scope = "gpu"} : !ptrs -> tensor<8xf32>, !nv_tileaa.mem_token
  // CHECK: nv_tileas.store %{{.*}}, %{{.*}} mask %{{.*}} : tensor<8xi1> token %{{.*}} : !nv_tileaa.mem_token {mem_scope = "tl_blk", mem_semantic = "release"} : tensor<8x!nv_tileaa.ptr<f32>>, tensor<8xf32> -> !nv_tileaa.mem_token
  %2 = nv_tileas.store %p, %0 mask %mask : tensor<8xi1> token %token : !nv_tileaa.mem_token {mem_semantic = "release", mem_scope = "tl_blk"} : !ptrs, tensor<8xf32> -> !nv_tileaa.mem_token
  // CHECK: nv_tileas.async.load %{{.*}} : tensor<8x!nv_tileaa.ptr<f32>> -> tensor<8xf32>
  %3:2 = nv_tileas.async.load %p : !ptrs -> tensor<8xf32>
  // CHECK: nv_tileas.async.store %{{.*}}, %{{.*}} : tensor<8x!nv_tileaa.ptr<f32>>, tensor<8xf32>
  %4 = nv_tileas.async.store %p, %0 : !ptrs, tensor<8xf32>
  nv_tileaa.return
}

// CHECK-LABEL: @tiled
nv_tileaa.func @tiled(%view: !view, %i: index, %token: !nv_tileaa.mem_token) {
  // CHECK: %[[TILE:.*]] = nv_tileas.tiled_load %{{.*}}[%{{.*}}, %{{.*}}] : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  %0 = nv_tileas.tiled_load %view[%i, %i] : !view -> tensor<16x8xf32>
  // CHECK: nv_tileas.tiled_load %{{.*}}[%{{.*}}, %{{.*}}] offset[%{{.*}}, %{{.*}}] {in_bounds = array<i1: true, false>, padding_value = 0.000000e+00 : f32} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  %1 = nv_tileas.tiled_load %view[%i, %i] offset[%i, %i] {in_bounds = array<i1: true, false>, padding_value = 0.0 : f32} : !view -> tensor<16x8xf32>
  // One more coordinate for the offset of the descriptor.
  // CHECK: nv_tileas.tiled_load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] {atom = #nv_tileas.atom<"tma_load_2d", leading_offset>}
  %2 = nv_tileas.tiled_load %view[%i, %i, %i] {atom = #nv_tileas.atom<"tma_load_2d", leading_offset>} : !view -> tensor<16x8xf32>
  // CHECK: nv_tileas.tiled_store %[[TILE]], %{{.*}}[%{{.*}}, %{{.*}}] {in_bounds = array<i1: false, false>, padding_value = 0.000000e+00 : f32} : tensor<16x8xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileas.tiled_store %0, %view[%i, %i] {in_bounds = array<i1: false, false>, padding_value = 0.0 : f32} : tensor<16x8xf32>, !view
  // CHECK: nv_tileas.tiled_atomic_rmw "add" %{{.*}}[%{{.*}}, %{{.*}}] by %[[TILE]] token %{{.*}} : !nv_tileaa.mem_token {mem_scope = "sys", mem_semantic = "acq_rel"} : !nv_tileaa.tiled_view<16x8xf32, gmem> by tensor<16x8xf32> -> tensor<16x8xf32>, !nv_tileaa.mem_token
  %3:2 = nv_tileas.tiled_atomic_rmw "add" %view[%i, %i] by %0 token %token : !nv_tileaa.mem_token {mem_semantic = "acq_rel", mem_scope = "sys"} : !view by tensor<16x8xf32> -> tensor<16x8xf32>, !nv_tileaa.mem_token
  // CHECK: nv_tileas.async.tiled_load %{{.*}}[%{{.*}}, %{{.*}}] : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  %4:2 = nv_tileas.async.tiled_load %view[%i, %i] : !view -> tensor<16x8xf32>
  // CHECK: nv_tileas.async.tiled_atomic_rmw "max" %{{.*}}[%{{.*}}, %{{.*}}] by %[[TILE]] {atom = #nv_tileas.atom<"tma_reduce_2d", box = [16, 8]>} : !nv_tileaa.tiled_view<16x8xf32, gmem> by tensor<16x8xf32>
  %5 = nv_tileas.async.tiled_atomic_rmw "max" %view[%i, %i] by %0 {atom = #nv_tileas.atom<"tma_reduce_2d", box = [16, 8]>} : !view by tensor<16x8xf32>
  nv_tileaa.return
}

// CHECK-LABEL: @compare_and_exchange
nv_tileaa.func @compare_and_exchange(%view: !nv_tileaa.tiled_view<8xi32, gmem>, %i: index, %tile: tensor<8xi32>) {
  // CHECK: nv_tileas.tiled_atomic_rmw "cmpxchg" %{{.*}}[%{{.*}}] by %{{.*}}, %{{.*}} : !nv_tileaa.tiled_view<8xi32, gmem> by tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
  %0 = nv_tileas.tiled_atomic_rmw "cmpxchg" %view[%i] by %tile, %tile : !nv_tileaa.tiled_view<8xi32, gmem> by tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
  nv_tileaa.return
}

// CHECK-LABEL: @half
nv_tileaa.func @half(%view: !nv_tileaa.tiled_view<8xbf16, gmem>, %i: index, %tile: tensor<8xbf16>) {
  // CHECK: nv_tileas.tiled_atomic_rmw "min"
  %0 = nv_tileas.tiled_atomic_rmw "min" %view[%i] by %tile : !nv_tileaa.tiled_view<8xbf16, gmem> by tensor<8xbf16> -> tensor<8xbf16>
  nv_tileaa.return
}

// CHECK-LABEL: @by_lane
nv_tileaa.func @by_lane(%view: !nv_tileaa.tiled_view<64x64xf16, gmem>, %at: tensor<32xi32>, %mask: tensor<32xi1>) {
  // CHECK: nv_tileas.gather_load %{{.*}} at(%{{.*}}, %{{.*}} : tensor<32xi32>, tensor<32xi32>) mask %{{.*}} : tensor<32xi1> : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<32xf16>
  %0 = nv_tileas.gather_load %view at(%at, %at : tensor<32xi32>, tensor<32xi32>) mask %mask : tensor<32xi1> : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<32xf16>
  // CHECK: nv_tileas.scatter_store %{{.*}}, %{{.*}} at(%{{.*}}, %{{.*}} : tensor<32xi32>, tensor<32xi32>) : tensor<32xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem>
  nv_tileas.scatter_store %0, %view at(%at, %at : tensor<32xi32>, tensor<32xi32>) : tensor<32xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem>
  nv_tileaa.return
}

// Every legal pair.
// CHECK-LABEL: @copies
nv_tileaa.func @copies(%r: tensor<8x8xf16>, %g: !nv_tileas.tiled_view<8x8xf16, gmem>, %s: !nv_tileas.tiled_view<8x8xf16, smem>, %t: !nv_tileas.tiled_view<8x8xf16, tmem>) {
  // CHECK: nv_tileas.copy %{{.*}} {atom = #nv_tileas.atom<"ldg_128">} : !nv_tileas.tiled_view<8x8xf16, gmem> -> tensor<8x8xf16>
  %0 = nv_tileas.copy %g {atom = #nv_tileas.atom<"ldg_128">} : !nv_tileas.tiled_view<8x8xf16, gmem> -> tensor<8x8xf16>
  // CHECK: nv_tileas.copy %{{.*}} to %{{.*}} {atom = #nv_tileas.atom<"stg_128">} : tensor<8x8xf16> to !nv_tileas.tiled_view<8x8xf16, gmem>
  nv_tileas.copy %r to %g {atom = #nv_tileas.atom<"stg_128">} : tensor<8x8xf16> to !nv_tileas.tiled_view<8x8xf16, gmem>
  // CHECK: %{{.*}} = nv_tileas.async.copy %{{.*}} to %{{.*}} {atom = #nv_tileas.atom<"cp_async_16">} : !nv_tileas.tiled_view<8x8xf16, gmem> to !nv_tileas.tiled_view<8x8xf16, smem>
  %1 = nv_tileas.async.copy %g to %s {atom = #nv_tileas.atom<"cp_async_16">} : !nv_tileas.tiled_view<8x8xf16, gmem> to !nv_tileas.tiled_view<8x8xf16, smem>
  nv_tileas.copy %r to %s {atom = #nv_tileas.atom<"stmatrix">} : tensor<8x8xf16> to !nv_tileas.tiled_view<8x8xf16, smem>
  nv_tileas.copy %r to %t {atom = #nv_tileas.atom<"tcgen05_st">} : tensor<8x8xf16> to !nv_tileas.tiled_view<8x8xf16, tmem>
  nv_tileas.copy %s to %g {atom = #nv_tileas.atom<"tma_store">} : !nv_tileas.tiled_view<8x8xf16, smem> to !nv_tileas.tiled_view<8x8xf16, gmem>
  // CHECK: %{{.*}}:2 = nv_tileas.async.copy %{{.*}} {atom = #nv_tileas.atom<"ldmatrix">} : !nv_tileas.tiled_view<8x8xf16, smem> -> tensor<8x8xf16>
  %2:2 = nv_tileas.async.copy %s {atom = #nv_tileas.atom<"ldmatrix">} : !nv_tileas.tiled_view<8x8xf16, smem> -> tensor<8x8xf16>
  nv_tileas.copy %s to %t {atom = #nv_tileas.atom<"tcgen05_cp">} : !nv_tileas.tiled_view<8x8xf16, smem> to !nv_tileas.tiled_view<8x8xf16, tmem>
  %3 = nv_tileas.copy %t {atom = #nv_tileas.atom<"tcgen05_ld">} : !nv_tileas.tiled_view<8x8xf16, tmem> -> tensor<8x8xf16>
  nv_tileaa.return
}

// An unknown atom is accepted on any operation.
// CHECK-LABEL: nv_tileaa.func @unknown_atom
// CHECK: nv_tileas.tiled_load %{{.*}}[%{{.*}}, %{{.*}}] {atom = #nv_tileas.atom<"xyzzy">}
nv_tileaa.func @unknown_atom(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index) {
  %0 = nv_tileas.tiled_load %v[%i, %i] {atom = #nv_tileas.atom<"xyzzy">} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileaa.return
}
