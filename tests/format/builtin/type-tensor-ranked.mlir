// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Ranked tensors: static, dynamic and zero dimensions, rank zero.
// CHECK: [tensor<f32>, tensor<4xf32>, tensor<?xi8>, tensor<?x4x?xi1>, tensor<0xf32>, tensor<2x0x3xi32>]
"d.op"() {t = [tensor<f32>, tensor<4xf32>, tensor<?xi8>, tensor<?x4x?xi1>, tensor<0xf32>, tensor<2x0x3xi32>]} : () -> ()
