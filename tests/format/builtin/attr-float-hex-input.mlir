// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A hexadecimal literal is the bit pattern of its type.
// CHECK: [1.000000e+00 : f32, 1.000000e+00, 1.000000e+00 : f16, 1.000000e+00 : bf16, -0.000000e+00 : f32, 0.333333343 : f32]
"d.op"() {a = [0x3F800000 : f32, 0x3FF0000000000000 : f64, 0x3C00 : f16, 0x3F80 : bf16, 0x80000000 : f32, 0x3EAAAAAB : f32]} : () -> ()
