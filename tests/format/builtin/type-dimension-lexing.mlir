// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// `4x8xf32` is dimensions; `0x8` is not a hexadecimal number there.
// CHECK: [tensor<0x8xf32>, tensor<0x0x0xi1>, vector<10x16xi8>, tensor<1x0xindex>]
"d.op"() {t = [tensor<0x8xf32>, tensor<0x0x0xi1>, vector<10x16xi8>, tensor<1x0xindex>]} : () -> ()
// CHECK: tensor<4x8xf32>
"d.op"() {t = tensor< 4 x 8 x f32 >} : () -> ()
