// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Keys are sorted as bytes; a unit value is not printed.
// CHECK: {A = 2 : i64, _c = 4 : i64, a = 3 : i64, b, c = {}, d = {x, y = 1 : i64}}
"d.op"() {d = {y = 1, x}, b = unit, a = 3, A = 2, c = {}, _c = 4} : () -> ()
