// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A long dense attribute is printed in full by default.
// CHECK: dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]> : tensor<20xi16>
"d.op"() {a = dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]> : tensor<20xi16>} : () -> ()
