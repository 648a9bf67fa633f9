// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A chain of operations: only those without a suggested name are numbered.
// CHECK: func.func @f(%arg0: i32, %arg1: i32) -> i1 {
// CHECK-NEXT: %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT: %0 = arith.muli %arg0, %c2_i32 overflow<nsw> : i32
// CHECK-NEXT: %1 = arith.addi %0, %arg1 : i32
// CHECK-NEXT: %2 = arith.cmpi ult, %1, %c2_i32 : i32
// CHECK-NEXT: return %2 : i1
func.func @f(%a: i32, %b: i32) -> i1 {
  %two = arith.constant 2 : i32
  %p = arith.muli %a, %two overflow<nsw> : i32
  %s = arith.addi %p, %b : i32
  %r = arith.cmpi ult, %s, %two : i32
  return %r : i1
}
