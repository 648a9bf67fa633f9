// RUN: orison-opt --split-input-file --verify-diagnostics %s

// Each condition of the rules for loads, stores, atomic operations and copies, alone. Cases without an
// expected error are the ones next to them that are allowed.

// The largest tile: half the exclusive limit of 2^24 elements.
nv_tileaa.func @size_limit(%v: !nv_tileaa.tiled_view<4096x2048xf32, gmem>, %i: index) {
  %0 = nv_tileas.tiled_load %v[%i, %i] : !nv_tileaa.tiled_view<4096x2048xf32, gmem> -> tensor<4096x2048xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @offsets_are_indices(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index, %k: i32) {
  // expected-error @+1 {{tiled memop coordinates must be index-typed}}
  %0 = "nv_tileas.tiled_load"(%v, %i, %i, %k, %k) <{operandSegmentSizes = array<i32: 1, 2, 2, 0>}> : (!nv_tileaa.tiled_view<16x8xf32, gmem>, index, index, i32, i32) -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @stored_shape(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index, %t: tensor<8x16xf32>) {
  // expected-error @+1 {{tile shape must match tensor shape}}
  nv_tileas.tiled_store %t, %v[%i, %i] : tensor<8x16xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @stored_element(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index, %t: tensor<16x8xf16>) {
  // expected-error @+1 {{tile element type must match view element type}}
  nv_tileas.tiled_store %t, %v[%i, %i] : tensor<16x8xf16>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @stored_size(%v: !nv_tileaa.tiled_view<12x8xf32, gmem>, %i: index, %t: tensor<12x8xf32>) {
  // expected-error @+1 {{tile dimensions must be positive powers of two}}
  nv_tileas.tiled_store %t, %v[%i, %i] : tensor<12x8xf32>, !nv_tileaa.tiled_view<12x8xf32, gmem>
  nv_tileaa.return
}

// -----

// A load may pad along one axis; a store pads along all or none.
nv_tileaa.func @partly_padded_load(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index, %t: tensor<16x8xf32>) {
  %0 = nv_tileas.tiled_load %v[%i, %i] {in_bounds = array<i1: true, false>, padding_value = 0.0 : f32} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  %1 = nv_tileas.tiled_load %v[%i, %i] {in_bounds = array<i1: true, false>} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileas.tiled_store %t, %v[%i, %i] {in_bounds = array<i1: false, false>, padding_value = 0.0 : f32} : tensor<16x8xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileas.tiled_store %t, %v[%i, %i] {in_bounds = array<i1: true, true>} : tensor<16x8xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @bounds_of_a_store(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index, %t: tensor<16x8xf32>) {
  // expected-error @+1 {{incorrect number of in_bounds elements: expected 2, but found 3}}
  nv_tileas.tiled_store %t, %v[%i, %i] {in_bounds = array<i1: true, true, true>} : tensor<16x8xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @scope_of_a_store(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index, %t: tensor<16x8xf32>) {
  // expected-error @+1 {{mem_scope required when mem_semantic is not weak}}
  nv_tileas.tiled_store %t, %v[%i, %i] {mem_semantic = "release"} : tensor<16x8xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @semantics(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index, %t: tensor<16x8xf32>) {
  %0 = nv_tileas.tiled_load %v[%i, %i] {mem_semantic = "acquire", mem_scope = "sys"} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  %1 = nv_tileas.tiled_load %v[%i, %i] {mem_semantic = "relaxed", mem_scope = "tl_blk"} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<16x8xf32>
  nv_tileas.tiled_store %t, %v[%i, %i] {mem_semantic = "release", mem_scope = "cluster"} : tensor<16x8xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @store_box(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index, %t: tensor<16x8xf32>) {
  // expected-error @+1 {{TMA box dimensions do not match atom box dimensions}}
  nv_tileas.tiled_store %t, %v[%i, %i] {atom = #nv_tileas.atom<"tma_store_2d", box = [16, 16]>} : tensor<16x8xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @product_stores_nothing(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %i: index, %t: tensor<16x8xf32>) {
  // expected-error @+1 {{expected a store atom}}
  nv_tileas.tiled_store %t, %v[%i, %i] {atom = #nv_tileas.atom<"wgmma">} : tensor<16x8xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @values_of_an_exchange(%v: !nv_tileaa.tiled_view<8xi32, gmem>, %i: index, %t: tensor<8xi32>, %u: tensor<8xi64>) {
  // expected-error @+1 {{expects values and result of the same type}}
  %0 = "nv_tileas.tiled_atomic_rmw"(%v, %t, %u, %i) <{rmw_mode = "cmpxchg", operandSegmentSizes = array<i32: 1, 2, 1, 0>}> : (!nv_tileaa.tiled_view<8xi32, gmem>, tensor<8xi32>, tensor<8xi64>, index) -> tensor<8xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @result_of_an_exchange(%v: !nv_tileaa.tiled_view<8xi32, gmem>, %i: index, %t: tensor<8xi32>, %u: tensor<8xi64>) {
  // expected-error @+1 {{expects values and result of the same type}}
  %0 = "nv_tileas.tiled_atomic_rmw"(%v, %t, %i) <{rmw_mode = "add", operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!nv_tileaa.tiled_view<8xi32, gmem>, tensor<8xi32>, index) -> tensor<8xi64>
  nv_tileaa.return
}

// -----

nv_tileaa.func @two_values_to_add(%v: !nv_tileaa.tiled_view<8xi32, gmem>, %i: index, %t: tensor<8xi32>, %u: tensor<8xi64>) {
  // expected-error @+1 {{expects 1 values for rmw_mode 'add', but got 2}}
  %0 = "nv_tileas.tiled_atomic_rmw"(%v, %t, %t, %i) <{rmw_mode = "add", operandSegmentSizes = array<i32: 1, 2, 1, 0>}> : (!nv_tileaa.tiled_view<8xi32, gmem>, tensor<8xi32>, tensor<8xi32>, index) -> tensor<8xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @umin_of_floats(%v: !nv_tileaa.tiled_view<8xf32, gmem>, %i: index, %t: tensor<8xf32>) {
  // expected-error @+1 {{unsupported rmw_mode: umin}}
  %0 = "nv_tileas.tiled_atomic_rmw"(%v, %t, %i) <{rmw_mode = "umin", operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!nv_tileaa.tiled_view<8xf32, gmem>, tensor<8xf32>, index) -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @umax_of_floats(%v: !nv_tileaa.tiled_view<8xf32, gmem>, %i: index, %t: tensor<8xf32>) {
  // expected-error @+1 {{unsupported rmw_mode: umax}}
  %0 = "nv_tileas.tiled_atomic_rmw"(%v, %t, %i) <{rmw_mode = "umax", operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!nv_tileaa.tiled_view<8xf32, gmem>, tensor<8xf32>, index) -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @and_of_floats(%v: !nv_tileaa.tiled_view<8xf32, gmem>, %i: index, %t: tensor<8xf32>) {
  // expected-error @+1 {{unsupported rmw_mode: and}}
  %0 = "nv_tileas.tiled_atomic_rmw"(%v, %t, %i) <{rmw_mode = "and", operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!nv_tileaa.tiled_view<8xf32, gmem>, tensor<8xf32>, index) -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @or_of_floats(%v: !nv_tileaa.tiled_view<8xf32, gmem>, %i: index, %t: tensor<8xf32>) {
  // expected-error @+1 {{unsupported rmw_mode: or}}
  %0 = "nv_tileas.tiled_atomic_rmw"(%v, %t, %i) <{rmw_mode = "or", operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!nv_tileaa.tiled_view<8xf32, gmem>, tensor<8xf32>, index) -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @cmpxchg_of_floats(%v: !nv_tileaa.tiled_view<8xf32, gmem>, %i: index, %t: tensor<8xf32>) {
  // expected-error @+1 {{unsupported rmw_mode: cmpxchg}}
  %0 = "nv_tileas.tiled_atomic_rmw"(%v, %t, %t, %i) <{rmw_mode = "cmpxchg", operandSegmentSizes = array<i32: 1, 2, 1, 0>}> : (!nv_tileaa.tiled_view<8xf32, gmem>, tensor<8xf32>, tensor<8xf32>, index) -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @atomic_order(%v: !nv_tileaa.tiled_view<8xi32, gmem>, %i: index, %t: tensor<8xi32>, %u: tensor<8xi64>) {
  // expected-error @+1 {{unsupported mem_semantic: strong}}
  %0 = nv_tileas.tiled_atomic_rmw "add" %v[%i] by %t {mem_semantic = "strong", mem_scope = "gpu"} : !nv_tileaa.tiled_view<8xi32, gmem> by tensor<8xi32> -> tensor<8xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @atomics(%v: !nv_tileaa.tiled_view<8xi32, gmem>, %i: index, %t: tensor<8xi32>, %u: tensor<8xi64>) {
  %0 = nv_tileas.tiled_atomic_rmw "add" %v[%i] by %t {mem_semantic = "acq_rel", mem_scope = "gpu"} : !nv_tileaa.tiled_view<8xi32, gmem> by tensor<8xi32> -> tensor<8xi32>
  %1 = nv_tileas.tiled_atomic_rmw "max" %v[%i] by %t {mem_semantic = "acq_rel", mem_scope = "gpu"} : !nv_tileaa.tiled_view<8xi32, gmem> by tensor<8xi32> -> tensor<8xi32>
  %2 = nv_tileas.tiled_atomic_rmw "min" %v[%i] by %t {mem_semantic = "acq_rel", mem_scope = "gpu"} : !nv_tileaa.tiled_view<8xi32, gmem> by tensor<8xi32> -> tensor<8xi32>
  %3 = nv_tileas.tiled_atomic_rmw "and" %v[%i] by %t {mem_semantic = "acq_rel", mem_scope = "gpu"} : !nv_tileaa.tiled_view<8xi32, gmem> by tensor<8xi32> -> tensor<8xi32>
  %4 = nv_tileas.tiled_atomic_rmw "or" %v[%i] by %t {mem_semantic = "acq_rel", mem_scope = "gpu"} : !nv_tileaa.tiled_view<8xi32, gmem> by tensor<8xi32> -> tensor<8xi32>
  %5 = nv_tileas.tiled_atomic_rmw "xor" %v[%i] by %t {mem_semantic = "acq_rel", mem_scope = "gpu"} : !nv_tileaa.tiled_view<8xi32, gmem> by tensor<8xi32> -> tensor<8xi32>
  %6 = nv_tileas.tiled_atomic_rmw "umin" %v[%i] by %t {mem_semantic = "acq_rel", mem_scope = "gpu"} : !nv_tileaa.tiled_view<8xi32, gmem> by tensor<8xi32> -> tensor<8xi32>
  %7 = nv_tileas.tiled_atomic_rmw "umax" %v[%i] by %t {mem_semantic = "acq_rel", mem_scope = "gpu"} : !nv_tileaa.tiled_view<8xi32, gmem> by tensor<8xi32> -> tensor<8xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @padding_of_a_load(%p: tensor<8x!nv_tileaa.ptr<f32>>) {
  // expected-error @+1 {{expects a padding value of the element type}}
  %0 = nv_tileas.load %p {padding_value = 0 : i32} : tensor<8x!nv_tileaa.ptr<f32>> -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @order_of_a_load(%p: tensor<8x!nv_tileaa.ptr<f32>>) {
  // expected-error @+1 {{unsupported mem_semantic: release}}
  %0 = nv_tileas.load %p {mem_semantic = "release", mem_scope = "gpu"} : tensor<8x!nv_tileaa.ptr<f32>> -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @order_of_a_store(%p: tensor<8x!nv_tileaa.ptr<f32>>, %t: tensor<8xf32>) {
  // expected-error @+1 {{unsupported mem_semantic: acquire}}
  nv_tileas.store %p, %t {mem_semantic = "acquire", mem_scope = "gpu"} : tensor<8x!nv_tileaa.ptr<f32>>, tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @gathered_element(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %at: tensor<4xi32>, %m: tensor<8xi1>, %t: tensor<4xf32>, %h: tensor<4xf16>) {
  // expected-error @+1 {{tile element type must match view element type}}
  %0 = nv_tileas.gather_load %v at(%at, %at : tensor<4xi32>, tensor<4xi32>) : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<4xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @scattered_element(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %at: tensor<4xi32>, %m: tensor<8xi1>, %t: tensor<4xf32>, %h: tensor<4xf16>) {
  // expected-error @+1 {{tile element type must match view element type}}
  nv_tileas.scatter_store %h, %v at(%at, %at : tensor<4xi32>, tensor<4xi32>) : tensor<4xf16>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @scattered_positions(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %at: tensor<4xi32>, %m: tensor<8xi1>, %t: tensor<4xf32>, %h: tensor<4xf16>) {
  // expected-error @+1 {{expects 2 index tiles, but got 1}}
  nv_tileas.scatter_store %t, %v at(%at : tensor<4xi32>) : tensor<4xf32>, !nv_tileaa.tiled_view<16x8xf32, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @padding_of_a_gather(%v: !nv_tileaa.tiled_view<16x8xf32, gmem>, %at: tensor<4xi32>, %m: tensor<8xi1>, %t: tensor<4xf32>, %h: tensor<4xf16>) {
  // expected-error @+1 {{expects a padding value of the element type}}
  %0 = nv_tileas.gather_load %v at(%at, %at : tensor<4xi32>, tensor<4xi32>) {padding_value = 0.0 : f64} : !nv_tileaa.tiled_view<16x8xf32, gmem> -> tensor<4xf32>
  nv_tileaa.return
}

// -----

// Every pair of memories between which the hardware copies.
nv_tileaa.func @legal_copies(%reg: tensor<8xf16>, %smem: !nv_tileas.tiled_view<8xf16, smem>, %gmem: !nv_tileas.tiled_view<8xf16, gmem>, %tmem: !nv_tileas.tiled_view<8xf16, tmem>) {
  nv_tileas.copy %gmem to %reg {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, gmem> to tensor<8xf16>
  nv_tileas.copy %reg to %gmem {atom = #nv_tileas.atom<"mov">} : tensor<8xf16> to !nv_tileas.tiled_view<8xf16, gmem>
  nv_tileas.copy %gmem to %smem {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, gmem> to !nv_tileas.tiled_view<8xf16, smem>
  nv_tileas.copy %reg to %smem {atom = #nv_tileas.atom<"mov">} : tensor<8xf16> to !nv_tileas.tiled_view<8xf16, smem>
  nv_tileas.copy %reg to %tmem {atom = #nv_tileas.atom<"mov">} : tensor<8xf16> to !nv_tileas.tiled_view<8xf16, tmem>
  nv_tileas.copy %smem to %gmem {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, smem> to !nv_tileas.tiled_view<8xf16, gmem>
  nv_tileas.copy %smem to %reg {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, smem> to tensor<8xf16>
  nv_tileas.copy %smem to %tmem {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, smem> to !nv_tileas.tiled_view<8xf16, tmem>
  nv_tileas.copy %tmem to %reg {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, tmem> to tensor<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @copy_smem_to_local(%a: !nv_tileas.tiled_view<8xf16, smem>, %b: !nv_tileas.tiled_view<8xf16, local>) {
  // expected-error @+1 {{expects a legal copy pair, but got smem to local}}
  nv_tileas.copy %a to %b {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, smem> to !nv_tileas.tiled_view<8xf16, local>
  nv_tileaa.return
}

// -----

nv_tileaa.func @copy_local_to_reg(%a: !nv_tileas.tiled_view<8xf16, local>, %b: tensor<8xf16>) {
  // expected-error @+1 {{expects a legal copy pair, but got local to rmem}}
  nv_tileas.copy %a to %b {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, local> to tensor<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @copy_constant_to_reg(%a: !nv_tileas.tiled_view<8xf16, constant>, %b: tensor<8xf16>) {
  // expected-error @+1 {{expects a legal copy pair, but got constant to rmem}}
  nv_tileas.copy %a to %b {atom = #nv_tileas.atom<"mov">} : !nv_tileas.tiled_view<8xf16, constant> to tensor<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @copy_reg_to_local(%a: tensor<8xf16>, %b: !nv_tileas.tiled_view<8xf16, local>) {
  // expected-error @+1 {{expects a legal copy pair, but got rmem to local}}
  nv_tileas.copy %a to %b {atom = #nv_tileas.atom<"mov">} : tensor<8xf16> to !nv_tileas.tiled_view<8xf16, local>
  nv_tileaa.return
}

// -----

nv_tileaa.func @copied_shape(%a: tensor<8xf16>, %b: !nv_tileas.tiled_view<4x2xf16, smem>) {
  // expected-error @+1 {{expects source and target of the same shape}}
  nv_tileas.copy %a to %b {atom = #nv_tileas.atom<"mov">} : tensor<8xf16> to !nv_tileas.tiled_view<4x2xf16, smem>
  nv_tileaa.return
}
