// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// No elements: a list of any nesting is parsed, an empty body is printed; a splat is kept.
// CHECK: {a = dense<> : tensor<0xi32>, b = dense<> : tensor<0xi32>, c = dense<> : tensor<2x0xf32>, d = dense<1> : tensor<0xi32>}
"d.op"() {a = dense<> : tensor<0xi32>, b = dense<[]> : tensor<0xi32>, c = dense<[[], []]> : tensor<2x0xf32>, d = dense<1> : tensor<0xi32>} : () -> ()
