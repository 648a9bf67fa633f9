// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Dense elements keep their tensor's encoding.
// CHECK: dense<[1, 2]> : tensor<2xi32, #d.enc>
"d.op"() {a = dense<[1, 2]> : tensor<2xi32, #d.enc>} : () -> ()
