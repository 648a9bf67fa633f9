// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// If six digits do not suffice, as many digits as round-trip are printed: plain for small exponents, with a capital E for large ones.
// CHECK: {a = [1.005000e+02, 1234.5678, 9.9999999999999991E+22, 1.17549435E-38 : f32, 0.100000000000000005551 : f80]}
"d.op"() {a = [100.5, 1234.5678, 1.0e23, 1.17549435e-38 : f32, 0.1 : f80]} : () -> ()
