// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Bits are parsed from keywords or digits and printed as keywords.
// CHECK: {a = dense<[true, false, true]> : tensor<3xi1>, b = dense<[true, false]> : vector<2xi1>, c = dense<false> : tensor<4xi1>}
"d.op"() {a = dense<[true, false, true]> : tensor<3xi1>, b = dense<[1, 0]> : vector<2xi1>, c = dense<0> : tensor<4xi1>} : () -> ()
