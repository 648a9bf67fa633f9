// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Suggested names are unique within a function and start again in the next.
// CHECK: func.func @f() {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c0_0 = arith.constant 0 : index
// CHECK: func.func @g() {
// CHECK-NEXT: %c0 = arith.constant 0 : index
func.func @f() {
  %a = arith.constant 0 : index
  %b = arith.constant 0 : index
  return
}
func.func @g() {
  %a = arith.constant 0 : index
  return
}
