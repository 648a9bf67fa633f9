// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Packed bits, the least significant first.
// CHECK: {a = dense<[true, false, true]> : tensor<3xi1>, b = dense<true> : tensor<8xi1>, c = dense<[true, false, false, false, false, false, false, false, false]> : tensor<9xi1>}
"d.op"() {a = dense<"0x05"> : tensor<3xi1>, b = dense<"0xFF"> : tensor<8xi1>, c = dense<"0x0100"> : tensor<9xi1>} : () -> ()
