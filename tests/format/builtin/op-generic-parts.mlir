// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Successors, properties, regions, attributes and types, in that order.
// CHECK: "d.region"() ({
// CHECK: "d.branch"(%0)[^bb1, ^bb2] <{p = 1 : i64}> ({
// CHECK-NEXT: }) {a} : (i32) -> ()
// CHECK: ^bb1:  // pred: ^bb0
// CHECK: ^bb2:  // pred: ^bb0
"d.region"() ({
  %x = "d.def"() : () -> i32
  "d.branch"(%x)[^one, ^two] <{p = 1}> ({}) {a} : (i32) -> ()
^one:
  "d.end"() : () -> ()
^two:
  "d.end"() : () -> ()
}) : () -> ()
