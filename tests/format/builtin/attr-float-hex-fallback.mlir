// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// An integral value that six digits cannot represent would be parsed as an integer; it is printed in hexadecimal.
// CHECK: [1.000000e+06, 0x4132D68700000000 : f64, 0x41678C29C0000000 : f64, 0x4B3C614E : f32, 1000000.5 : f32]
"d.op"() {a = [1000000.0, 1234567.0, 12345678.0, 12345678.0 : f32, 1000000.5 : f32]} : () -> ()
