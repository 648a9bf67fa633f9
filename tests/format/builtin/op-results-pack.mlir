// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Packs of results, and the first of a pack without its number.
// CHECK:      %0:2 = "d.def"() : () -> (i32, f32)
// CHECK-NEXT: "d.use"(%0#1, %0#0, %0#0) : (f32, i32, i32) -> ()
%0:2 = "d.def"() : () -> (i32, f32)
"d.use"(%0#1, %0#0, %0) : (f32, i32, i32) -> ()
