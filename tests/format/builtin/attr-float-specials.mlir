// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Infinities and NaNs are hexadecimal in every type.
// CHECK: [0x7F800000 : f32, 0xFF800000 : f32, 0x7FC00000 : f32, 0x7FF0000000000000 : f64, 0xFFF8000000000001 : f64, 0x7C00 : f16, 0x7E00 : f16, 0x7F80 : bf16, 0x7FC0 : bf16]
"d.op"() {a = [0x7F800000 : f32, 0xFF800000 : f32, 0x7FC00000 : f32, 0x7FF0000000000000 : f64, 0xFFF8000000000001 : f64, 0x7C00 : f16, 0x7E00 : f16, 0x7F80 : bf16, 0x7FC0 : bf16]} : () -> ()
