// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Equal elements print as a splat, however they were written.
// CHECK: {a = dense<7> : tensor<4xi32>, b = dense<1> : tensor<2xi32>, c = dense<1.500000e+00> : tensor<2x2xf32>, d = dense<-1> : tensor<2xi8>}
"d.op"() {a = dense<7> : tensor<4xi32>, b = dense<[1, 1]> : tensor<2xi32>, c = dense<[[1.5, 1.5], [1.5, 1.5]]> : tensor<2x2xf32>, d = dense<[-1, 255]> : tensor<2xi8>} : () -> ()
