// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// The standard float types.
// CHECK: () -> (f16, bf16, tf32, f32, f64, f80, f128)
%0:7 = "d.op"() : () -> (f16, bf16, tf32, f32, f64, f80, f128)
