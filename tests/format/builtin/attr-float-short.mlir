// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Six digits if they round-trip; f64 is the default type.
// CHECK: {a = 1.000000e+00 : f64, b = -2.500000e+00 : f64, c = 1.000000e+10 : f64, d = 0.000000e+00 : f64, e = -0.000000e+00 : f64}
"d.op"() {a = 1.0, b = -2.5, c = 1.0e10, d = 0.0, e = -0.0} : () -> ()
// CHECK: [1.000000e-01, 1.000000e+05, 1.234560e+05, 1.000000e-03, 1.000000e+100, 4.940660e-324]
"d.op"() {a = [0.1, 100000.0, 123456.0, 0.001, 1.0e100, 5.0e-324]} : () -> ()
