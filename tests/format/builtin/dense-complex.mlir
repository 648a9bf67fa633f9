// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Complex elements: no space after the comma of a pair.
// CHECK: {a = dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>, b = dense<[(1,2), (3,-4)]> : tensor<2xcomplex<i32>>, c = dense<(0,1)> : tensor<complex<i8>>}
"d.op"() {a = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>, b = dense<[(1, 2), (3, -4)]> : tensor<2xcomplex<i32>>, c = dense<(0, 1)> : tensor<complex<i8>>} : () -> ()
