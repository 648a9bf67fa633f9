// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Hexadecimal digits are read, decimal ones are printed.
// CHECK: {a = 16 : i64, b = -16 : i32, c = -1 : i8, d = 3735928559 : ui32, e = -1 : i64}
"d.op"() {a = 0x10, b = -0x10 : i32, c = 0xFF : i8, d = 0xdeadBEEF : ui32, e = 0xFFFFFFFFFFFFFFFF} : () -> ()
