// RUN: orison-opt --split-input-file --verify-diagnostics %s

// Each condition of the rules of nv_tileaa, alone, and what is next to it and allowed.

nv_tileaa.func @negative_axis() {
  // expected-error @+1 {{expects an axis from 0 to 2, but got -1}}
  %0 = nv_tileaa.get_program_id axis -1
  nv_tileaa.return
}

// -----

nv_tileaa.func @four_ids(%i: index) {
  // expected-error @+1 {{expects one to three coordinates, but got 4}}
  %0 = nv_tileaa.is_valid_program_id(%i, %i, %i, %i)
  nv_tileaa.return
}

// -----

nv_tileaa.func @size_of_a_static_extent(%p: !nv_tileaa.ptr<f16>, %n: index) {
  // expected-error @+1 {{expects 1 sizes, one for each dynamic extent, but got 2}}
  %0 = nv_tileaa.make_memref %p sizes[%n, %n] : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?x8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @three_strides(%p: !nv_tileaa.ptr<f16>, %n: index) {
  // expected-error @+1 {{expects zero strides or 2, one for each axis, but got 3}}
  %0 = nv_tileaa.make_memref %p sizes[%n] strides[%n, %n, %n] : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?x8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @view_elsewhere(%m: !nv_tileaa.memref<8x8xf16, smem>) {
  // expected-error @+1 {{expects a view in smem, like the memory}}
  %0 = nv_tileaa.block_tile %m : !nv_tileaa.memref<8x8xf16, smem> -> !nv_tileaa.tiled_view<8x8xf16, gmem>
  nv_tileaa.return
}

// -----

nv_tileaa.func @offset_of_one_pointer(%p: !nv_tileaa.ptr<f16>, %o: tensor<8xi32>) {
  // expected-error @+1 {{expects an offset of the shape of the base}}
  %0 = nv_tileaa.addptr %p, %o : !nv_tileaa.ptr<f16>, tensor<8xi32> -> !nv_tileaa.ptr<f16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @allowed(%p: !nv_tileaa.ptr<f16>, %n: index, %q: tensor<8x!nv_tileaa.ptr<f16>>, %o: tensor<8xi64>) {
  %0 = nv_tileaa.get_program_id axis 2
  %1 = nv_tileaa.is_valid_program_id(%n, %n, %n)
  %2 = nv_tileaa.make_memref %p sizes[%n] strides[%n, %n] : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?x8xf16>
  %3 = nv_tileaa.block_tile %2 : !nv_tileaa.memref<?x8xf16> -> !nv_tileaa.tiled_view<8x8xf16, gmem>
  %4 = nv_tileaa.addptr %q, %o : tensor<8x!nv_tileaa.ptr<f16>>, tensor<8xi64> -> tensor<8x!nv_tileaa.ptr<f16>>
  nv_tileaa.return
}

// -----

nv_tileaa.func @results_that_are_missing() -> (f32, f16) {
  // expected-error @+1 {{has 0 operands, but enclosing function (@results_that_are_missing) returns 2}}
  nv_tileaa.return
}

// -----

nv_tileaa.func @second_result(%x: f32) -> (f32, f16) {
  // expected-error @+1 {{type of return operand 1 ('f32') doesn't match function result type ('f16') in function @second_result}}
  nv_tileaa.return %x, %x : f32, f32
}

// -----

// expected-error @+1 {{type of entry block argument #1('f16') must match the type of the corresponding argument in function signature('f32')}}
"nv_tileaa.func"() <{sym_name = "second_argument", function_type = (f32, f32) -> ()}> ({
^bb0(%x: f32, %y: f16):
  nv_tileaa.return
}) : () -> ()

// -----

// expected-error @+1 {{expects 'res_attrs' to have 1 entries}}
"nv_tileaa.func"() <{sym_name = "attributes_of_results", function_type = () -> f32, res_attrs = []}> ({
}) : () -> ()

// -----

// expected-error @+1 {{attribute 'nv_tileaa.kernel_spec' must have a positive i32 as 'occupancy'}}
nv_tileaa.func @occupancy() attributes {nv_tileaa.kernel_spec = {occupancy = 0 : i32}} {
  nv_tileaa.return
}

// -----

// expected-error @+1 {{attribute 'nv_tileaa.kernel_spec' must have a positive i32 as 'computeCapability'}}
nv_tileaa.func @capability() attributes {nv_tileaa.kernel_spec = {computeCapability = 90 : i64}} {
  nv_tileaa.return
}

// -----

// expected-error @+1 {{attribute 'nv_tileaa.kernel_spec' must have one to three positive i32 as 'clusterDim'}}
nv_tileaa.func @cluster_of_four_axes() attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1, 1>}} {
  nv_tileaa.return
}

// -----

// expected-error @+1 {{attribute 'nv_tileaa.kernel_spec' must have one to three positive i32 as 'clusterDim'}}
nv_tileaa.func @empty_cluster() attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 2, 0>}} {
  nv_tileaa.return
}
