// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A point is required; the exponent's sign and case are free.
// CHECK: [1.000000e+05, 1.000000e+05, 1.000000e+05, 1.000000e-05, 1.000000e+00]
"d.op"() {a = [1.e5, 1.0E5, 1.0e+5, 1.0e-5, 1.]} : () -> ()
