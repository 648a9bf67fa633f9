// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Arrays of machine elements.
// CHECK: {a = array<i32: 1, -2>, b = array<i32>, c = array<i8: -1, 16>, d = array<i64: -9223372036854775808>, e = array<i16: 3>}
"d.op"() {a = array<i32: 1, -2>, b = array<i32>, c = array<i8: -1, 0x10>, d = array<i64: -9223372036854775808>, e = array<i16: 3>} : () -> ()
