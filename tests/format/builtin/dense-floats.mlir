// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Floats print like float attributes, without the type.
// CHECK: dense<[1.000000e+00, -2.500000e+00, 0x7F800000, 0x7FC00000, 0.333333343]> : tensor<5xf32>
"d.op"() {a = dense<[1.0, -2.5, 0x7F800000, 0x7FC00000, 0.33333334]> : tensor<5xf32>} : () -> ()
// CHECK: dense<[1.000980e-01, 0x7F80]> : vector<2xbf16>
"d.op"() {a = dense<[0.1, 0x7F80]> : vector<2xbf16>} : () -> ()
// CHECK: dense<[1.000000e+00, 0x7F]> : tensor<2xf8E4M3FN>
"d.op"() {a = dense<[1.0, 0x7F]> : tensor<2xf8E4M3FN>} : () -> ()
