// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A value used before its definition, in a region without dominance.
// CHECK:      "d.use"(%0) : (i32) -> ()
// CHECK-NEXT: %0 = "d.def"(%0) : (i32) -> i32
"d.use"(%later) : (i32) -> ()
%later = "d.def"(%later) : (i32) -> i32
