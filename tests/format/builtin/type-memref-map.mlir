// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-local-scope %s | FileCheck %s --check-prefix=SCOPE

// Affine layouts; the identity map is dropped.
// CHECK: #map = affine_map<(d0, d1) -> (d1, d0)>
// CHECK: memref<4x4xf32>, memref<4x4xf32, #map>, memref<4x4xf32, #map, 3>
"d.op"() {t = [memref<4x4xf32, affine_map<(i, j) -> (i, j)>>, memref<4x4xf32, affine_map<(i, j) -> (j, i)>>, memref<4x4xf32, affine_map<(i, j) -> (j, i)>, 3>]} : () -> ()
// SCOPE: memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, 3>
