// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Unranked tensors.
// CHECK: "d.op"() : () -> tensor<*xf32>
%0 = "d.op"() : () -> tensor<*xf32>
// CHECK: "d.op"() : () -> tensor<*x!d.e>
%1 = "d.op"() : () -> tensor<*x!d.e>
