// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A single result type is printed without parentheses, zero results with them.
// CHECK:      "d.def"() : () -> i32
// CHECK-NEXT: "d.def"() : () -> ()
%0 = "d.def"() : () -> (i32)
"d.def"() : () -> ()
