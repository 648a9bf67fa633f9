// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// One operation with all syntactic parts.
// CHECK: %1:2 = "d.all"(%0, %0)[^bb1] <{p}> ({
// CHECK-NEXT: ^bb0(%arg0: i32):
// CHECK-NEXT: "d.end"() : () -> ()
// CHECK-NEXT: }, {
// CHECK-NEXT: }) {a = "x", b.c} : (i32, i32) -> (f32, index)
"d.outer"() ({
  %x = "d.def"() : () -> i32
  %r:2 = "d.all"(%x, %x)[^next] <{p}> ({
  ^entry(%a: i32):
    "d.end"() : () -> ()
  }, {
  }) {b.c, a = "x"} : (i32, i32) -> (f32, index)
^next:
  "d.end"(%r#1) : (index) -> ()
}) : () -> ()
