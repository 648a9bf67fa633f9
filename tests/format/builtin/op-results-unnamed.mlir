// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Results may be unnamed on input and are named on output.
// CHECK:      %0 = "d.def"() : () -> i32
// CHECK-NEXT: %1:2 = "d.def"() : () -> (i32, i32)
"d.def"() : () -> i32
"d.def"() : () -> (i32, i32)
