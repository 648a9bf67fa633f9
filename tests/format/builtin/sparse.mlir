// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Indices, then values; equal values print as a splat.
// CHECK: {a = sparse<{{\[\[}}0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>, b = sparse<0, 1> : tensor<1xi32>, c = sparse<[1, 2], [1, 5]> : tensor<4xi32>}
"d.op"() {a = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>, b = sparse<0, 1> : tensor<1xi32>, c = sparse<[1, 2], [1, 5]> : tensor<4xi32>} : () -> ()
// CHECK: sparse<{{\[\[}}0, 1]], 1.000000e+00> : vector<2x2xf16>
"d.op"() {a = sparse<[[0, 1]], [1.0]> : vector<2x2xf16>} : () -> ()
