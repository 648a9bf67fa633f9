// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Dense integers of rank one and more.
// CHECK: {a = dense<[1, -2, 3]> : tensor<3xi32>, b = dense<{{\[\[}}1, 2], [3, 4]]> : vector<2x2xi8>, c = dense<{{\[\[}}[1], [2]]]> : tensor<1x2x1xi64>}
"d.op"() {a = dense<[1, -2, 3]> : tensor<3xi32>, b = dense<[[1, 2], [3, 4]]> : vector<2x2xi8>, c = dense<[[[1], [2]]]> : tensor<1x2x1xi64>} : () -> ()
