// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A hexadecimal string holds the elements in little-endian order, or one element for all.
// CHECK: {a = dense<[1, 2]> : tensor<2xi32>, b = dense<1.000000e+00> : tensor<1xf32>, c = dense<[1, 0, 0, 0]> : tensor<4xi8>, d = dense<1.000000e+00> : tensor<5xf32>, e = dense<[258, 1]> : tensor<2xi16>}
"d.op"() {a = dense<"0x0100000002000000"> : tensor<2xi32>, b = dense<"0x0000803F"> : tensor<1xf32>, c = dense<"0x01000000"> : tensor<4xi8>, d = dense<"0x0000803F"> : tensor<5xf32>, e = dense<"0x02010100"> : tensor<2xi16>} : () -> ()
