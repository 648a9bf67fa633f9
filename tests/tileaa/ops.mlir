// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// CHECK-LABEL: nv_tileaa.func @kernel(
// CHECK-SAME: %[[P:.*]]: !nv_tileaa.ptr<f16> {cute_nvgpu.grid_constant}, %[[N:.*]]: index) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 2, 1, 1>, numWarps = 8 : i32, occupancy = 1 : i32}} {
nv_tileaa.func @kernel(%p: !nv_tileaa.ptr<f16> {cute_nvgpu.grid_constant}, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32, clusterDim = array<i32: 2, 1, 1>, occupancy = 1 : i32}} {
  // CHECK: nv_tileaa.get_program_id axis 2
  %0 = nv_tileaa.get_program_id axis 2
  // CHECK: nv_tileaa.is_valid_program_id(%{{.*}}, %[[N]])
  %valid = nv_tileaa.is_valid_program_id(%0, %n)
  // CHECK: nv_tileaa.create_mem_token
  %1 = nv_tileaa.create_mem_token
  // CHECK: nv_tileaa.make_memref %[[P]] : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<8x8xf16>
  %2 = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<8x8xf16>
  // CHECK: %[[M:.*]] = nv_tileaa.make_memref %[[P]] sizes[%[[N]], %[[N]]] strides[%[[N]], %[[N]]] : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?x?xf16>
  %3 = nv_tileaa.make_memref %p sizes[%n, %n] strides[%n, %n] : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?x?xf16>
  // CHECK: nv_tileaa.block_tile %[[M]] : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %4 = nv_tileaa.block_tile %3 : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  // CHECK: nv_tileaa.addptr %[[P]], %[[N]] : !nv_tileaa.ptr<f16>, index -> !nv_tileaa.ptr<f16>
  %5 = nv_tileaa.addptr %p, %n : !nv_tileaa.ptr<f16>, index -> !nv_tileaa.ptr<f16>
  // CHECK: nv_tileaa.return
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func private @declared(tensor<4xf16>, index {a}) -> (f32 {b}, f32)
nv_tileaa.func private @declared(tensor<4xf16>, index {a}) -> (f32 {b}, f32)

// CHECK-LABEL: nv_tileaa.func @returns(%{{.*}}: f32) -> (f32, f32) {
nv_tileaa.func @returns(%x: f32) -> (f32, f32) {
  // CHECK: nv_tileaa.return %{{.*}}, %{{.*}} : f32, f32
  nv_tileaa.return %x, %x : f32, f32
}

// CHECK-LABEL: nv_tileaa.func @offsets(
nv_tileaa.func @offsets(%p: tensor<8x!nv_tileaa.ptr<f16>>, %o: tensor<8xi32>) -> tensor<8x!nv_tileaa.ptr<f16>> {
  // CHECK: nv_tileaa.addptr %{{.*}}, %{{.*}} : tensor<8x!nv_tileaa.ptr<f16>>, tensor<8xi32> -> tensor<8x!nv_tileaa.ptr<f16>>
  %0 = nv_tileaa.addptr %p, %o : tensor<8x!nv_tileaa.ptr<f16>>, tensor<8xi32> -> tensor<8x!nv_tileaa.ptr<f16>>
  nv_tileaa.return %0 : tensor<8x!nv_tileaa.ptr<f16>>
}
