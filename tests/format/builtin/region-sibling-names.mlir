// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Sibling regions may use one name twice; numbers restart after each.
// CHECK: "d.op"() ({
// CHECK-NEXT: %1 = "d.def"() : () -> i32
// CHECK-NEXT: }, {
// CHECK-NEXT: %1 = "d.def"() : () -> i32
// CHECK-NEXT: }) : () -> ()
// CHECK-NEXT: "d.use"(%0) : (i32) -> ()
%z = "d.def"() : () -> i32
"d.op"() ({ %x = "d.def"() : () -> i32 }, { %x = "d.def"() : () -> i32 }) : () -> ()
"d.use"(%z) : (i32) -> ()
