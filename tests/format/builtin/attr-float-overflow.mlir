// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A value out of range rounds to infinity, or to the nearest value if the type has no infinity.
// CHECK: [0x7FF0000000000000 : f64, 0x7C00 : f16, 0x7F : f8E4M3FN, 6.000000e+00 : f4E2M1FN]
"d.op"() {a = [1.0e400, 70000.0 : f16, 500.0 : f8E4M3FN, 9.0 : f4E2M1FN]} : () -> ()
