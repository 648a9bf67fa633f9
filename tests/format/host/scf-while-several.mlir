// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Several values, packed results.
// CHECK: %0:2 = scf.while (%arg3 = %arg0, %arg4 = %arg1) : (i32, f32) -> (f32, i32) {
// CHECK-NEXT: scf.condition(%arg2) {d.x} %arg4, %arg3 : f32, i32
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%arg3: f32, %arg4: i32):
// CHECK-NEXT: scf.yield %arg4, %arg3 : i32, f32
func.func @f(%a: i32, %b: f32, %c: i1) {
  %0:2 = scf.while (%x = %a, %y = %b) : (i32, f32) -> (f32, i32) {
    scf.condition(%c) {d.x} %y, %x : f32, i32
  } do {
  ^bb0(%p: f32, %q: i32):
    scf.yield %q, %p : i32, f32
  }
  return
}
