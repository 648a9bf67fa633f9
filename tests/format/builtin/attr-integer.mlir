// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Integers: i64 is the default type and is elided inside arrays only.
// CHECK: {a = 1 : i64, b = -7 : i64, c = 0 : i64}
"d.op"() {a = 1, b = -7, c = 0} : () -> ()
// CHECK: {a = [1, -7, 2 : i32, 3]}
"d.op"() {a = [1, -7, 2 : i32, 3 : i64]} : () -> ()
