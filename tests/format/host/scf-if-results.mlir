// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Conditionals with results.
// CHECK: %0 = scf.if %arg0 -> (i32) {
// CHECK-NEXT: scf.yield %arg1 : i32
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %arg2 : i32
// CHECK-NEXT: }
// CHECK-NEXT: %1:2 = scf.if %arg0 -> (i32, i1) {
// CHECK-NEXT: scf.yield %arg1, %arg0 : i32, i1
func.func @f(%c: i1, %a: i32, %b: i32) {
  %0 = scf.if %c -> i32 {
    scf.yield %a : i32
  } else {
    scf.yield %b : i32
  }
  %1:2 = scf.if %c -> (i32, i1) {
    scf.yield %a, %c : i32, i1
  } else {
    scf.yield %b, %c : i32, i1
  }
  return
}
