// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A scalar shape holds a splat.
// CHECK: {a = dense<1> : tensor<i32>, b = dense<2.000000e+00> : vector<f64>, c = dense<true> : tensor<i1>}
"d.op"() {a = dense<1> : tensor<i32>, b = dense<2.0> : vector<f64>, c = dense<true> : tensor<i1>} : () -> ()
