// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// The generic form of functions prints as the custom form.
// CHECK: func.func private @a(i32) -> f32
// CHECK: func.func @b(%arg0: i32) -> i32 attributes {d.x} {
// CHECK-NEXT: return %arg0 : i32
"func.func"() <{sym_name = "a", function_type = (i32) -> f32, sym_visibility = "private"}> ({}) : () -> ()
"func.func"() ({
^bb0(%x: i32):
  "func.return"(%x) : (i32) -> ()
}) {sym_name = "b", function_type = (i32) -> i32, d.x} : () -> ()
