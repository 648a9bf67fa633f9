// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// An inner region uses a value that its parent region defines later.
// CHECK: "d.graph"() ({
// CHECK-NEXT: "d.use"(%0) : (i32) -> ()
// CHECK-NEXT: }) : () -> ()
// CHECK-NEXT: %0 = "d.def"() : () -> i32
"d.graph"() ({
  "d.use"(%later) : (i32) -> ()
}) : () -> ()
%later = "d.def"() : () -> i32
