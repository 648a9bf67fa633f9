// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Plain memrefs of rank zero, static and dynamic shape.
// CHECK: [memref<f32>, memref<4x8xf32>, memref<?x?xi8>, memref<2x?xindex>, memref<3xmemref<?xf32>>]
"d.op"() {t = [memref<f32>, memref<4x8xf32>, memref<?x?xi8>, memref<2x?xindex>, memref<3xmemref<?xf32>>]} : () -> ()
