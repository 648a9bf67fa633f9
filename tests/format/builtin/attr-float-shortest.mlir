// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// If six digits do not suffice, as many digits as round-trip are printed: plain for small exponents, with a capital E for large ones.
// CHECK: {a = [1.005000e+02, 1234.5678, 9.9999999999999991E+22, 1.17549435E-38 : f32, 0.100000000000000005551 : f80]}
"d.op"() {a = [100.5, 1234.5678, 1.0e23, 1.17549435e-38 : f32, 0.1 : f80]} : () -> ()

// -----

// At most three zeros are written for the exponent: behind the point two, before it three; the number of
// digits decides too.
// CHECK: {a = [0.012345678901233999, 0.0012345678901233999, 1.2345678901234001E-4, 123456789.5, 0x4271F71FB04CD000 : f64, 1.2345678901234E+17, 1.2345678901234567E+20]}
"d.op"() {a = [1.2345678901234e-2, 1.2345678901234e-3, 1.2345678901234e-4, 123456789.5, 1234567890125.0, 1.2345678901234e17, 1.2345678901234567e20]} : () -> ()
