// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Nothing stored.
// CHECK: sparse<> : tensor<3xf32>
"d.op"() {a = sparse<> : tensor<3xf32>} : () -> ()
