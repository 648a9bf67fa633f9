// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Float elements.
// CHECK: {a = array<f32: 1.000000e+00, 0x7FC00000>, b = array<f64: 1.000000e-01>, c = array<f16: 1.500000e+00>, d = array<bf16>}
"d.op"() {a = array<f32: 1.0, 0x7FC00000>, b = array<f64: 0.1>, c = array<f16: 1.5>, d = array<bf16>} : () -> ()
