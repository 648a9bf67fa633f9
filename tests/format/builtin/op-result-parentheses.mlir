// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A single result type loses its parentheses, no result keeps them.
// CHECK:      "d.def"() : () -> i32
// CHECK-NEXT: "d.def"() : () -> ()
%0 = "d.def"() : () -> (i32)
"d.def"() : () -> ()
