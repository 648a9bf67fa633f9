// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Tensors hold any element type, among them vectors and foreign types.
// CHECK: [tensor<2xvector<4xf32>>, tensor<4xcomplex<f32>>, tensor<?xindex>, tensor<3x!d.x<y>>]
"d.op"() {t = [tensor<2xvector<4xf32>>, tensor<4xcomplex<f32>>, tensor<?xindex>, tensor<3x!d.x<y>>]} : () -> ()
