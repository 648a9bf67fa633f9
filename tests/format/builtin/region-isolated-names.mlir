// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Sibling isolated regions may use the same name; their numbering continues that of the parent region.
// CHECK: %0 = "d.def"() : () -> i32
// CHECK: func.func @f(%arg0: i32) -> i32 {
// CHECK-NEXT: %1 = "d.op"(%arg0) : (i32) -> i32
// CHECK-NEXT: return %1 : i32
// CHECK: func.func @g(%arg0: i32) -> i32 {
// CHECK-NEXT: %1 = "d.op"(%arg0) : (i32) -> i32
%x = "d.def"() : () -> i32
func.func @f(%a: i32) -> i32 {
  %y = "d.op"(%a) : (i32) -> i32
  return %y : i32
}
func.func @g(%a: i32) -> i32 {
  %y = "d.op"(%a) : (i32) -> i32
  return %y : i32
}
