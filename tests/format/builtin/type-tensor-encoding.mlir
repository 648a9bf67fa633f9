// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// The encoding is any attribute.
// CHECK: [tensor<4xf32, "csr">, tensor<4xf32, #d.enc>, tensor<4xf32, #d.enc<a, [b]>>, tensor<4xf32, {a = 1 : i64}>, tensor<4xf32, 7 : i8>]
"d.op"() {t = [tensor<4xf32, "csr">, tensor<4xf32, #d.enc>, tensor<4xf32, #d.enc<a, [b]>>, tensor<4xf32, {a = 1}>, tensor<4xf32, 7 : i8>]} : () -> ()
