// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Strided layouts; a zero offset is not printed.
// CHECK: memref<4x4xf32, strided<[4, 1]>>
// CHECK-SAME: , memref<4x4xf32, strided<[4, 1], offset: 3>>
// CHECK-SAME: , memref<?x?xf32, strided<[?, 1], offset: ?>>
// CHECK-SAME: , memref<f32, strided<[], offset: 2>>
// CHECK-SAME: , memref<4xf32, strided<[-1]>, 2>
"d.op"() {t = [memref<4x4xf32, strided<[4, 1], offset: 0>>, memref<4x4xf32, strided<[4, 1], offset: 3>>, memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<f32, strided<[], offset: 2>>, memref<4xf32, strided<[-1]>, 2>]} : () -> ()
