// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Value names: numbers, identifiers, and the punctuation `$ . _ -`.
// CHECK:      %0 = "d.def"() : () -> i32
// CHECK-NEXT: %1 = "d.def"() : () -> i32
// CHECK-NEXT: %2 = "d.def"() : () -> i32
// CHECK-NEXT: %3 = "d.def"() : () -> i32
// CHECK-NEXT: "d.use"(%0, %1, %2, %3) : (i32, i32, i32, i32) -> ()
%42 = "d.def"() : () -> i32
%a.b$c_d-e = "d.def"() : () -> i32
%_ = "d.def"() : () -> i32
%$x = "d.def"() : () -> i32
"d.use"(%42, %a.b$c_d-e, %_, %$x) : (i32, i32, i32, i32) -> ()
