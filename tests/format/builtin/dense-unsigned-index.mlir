// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Unsigned, signed and index elements; hexadecimal elements.
// CHECK: {a = dense<[255, 1]> : tensor<2xui8>, b = dense<[-128, 1]> : tensor<2xsi8>, c = dense<[0, 9]> : tensor<2xindex>, d = dense<[-1, 16]> : tensor<2xi8>}
"d.op"() {a = dense<[255, 1]> : tensor<2xui8>, b = dense<[-128, 1]> : tensor<2xsi8>, c = dense<[0, 9]> : tensor<2xindex>, d = dense<[0xFF, 0x10]> : tensor<2xi8>} : () -> ()
