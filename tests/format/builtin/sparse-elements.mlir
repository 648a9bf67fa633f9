// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Boolean, complex and string values.
// CHECK: sparse<0, true> : tensor<2xi1>
"d.op"() {a = sparse<[[0]], [true]> : tensor<2xi1>} : () -> ()
// CHECK: sparse<0, "a"> : tensor<2x!d.s>
"d.op"() {a = sparse<[[0]], ["a"]> : tensor<2x!d.s>} : () -> ()
// CHECK: sparse<[0, 2], [(1.000000e+00,0.000000e+00), (2.000000e+00,1.000000e+00)]> : tensor<3xcomplex<f32>>
"d.op"() {a = sparse<[0, 2], [(1.0, 0.0), (2.0, 1.0)]> : tensor<3xcomplex<f32>>} : () -> ()
