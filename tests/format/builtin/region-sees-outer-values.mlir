// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A region uses values defined outside of it.
// CHECK:      %0 = "d.def"() : () -> i32
// CHECK-NEXT: "d.op"() ({
// CHECK-NEXT: %1 = "d.inner"(%0) : (i32) -> i32
// CHECK-NEXT: "d.inner"(%1) : (i32) -> ()
// CHECK-NEXT: }) : () -> ()
%x = "d.def"() : () -> i32
"d.op"() ({ %y = "d.inner"(%x) : (i32) -> i32 "d.inner"(%y) : (i32) -> () }) : () -> ()
