// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Carried values.
// CHECK: %0 = scf.for %arg2 = %arg0 to %arg0 step %arg0 iter_args(%arg3 = %arg1) -> (f32) {
// CHECK-NEXT: %2 = arith.addf %arg3, %arg1 : f32
// CHECK-NEXT: scf.yield %2 : f32
// CHECK-NEXT: } {d.x = 1 : i64}
// CHECK-NEXT: %1:2 = scf.for %arg2 = %arg0 to %arg0 step %arg0 iter_args(%arg3 = %0, %arg4 = %arg0) -> (f32, index) {
// CHECK-NEXT: scf.yield %arg3, %arg2 : f32, index
// GENERIC: ^bb0(%arg5: index, %arg6: f32):
func.func @f(%i: index, %a: f32) {
  %0 = scf.for %k = %i to %i step %i iter_args(%acc = %a) -> (f32) {
    %s = arith.addf %acc, %a : f32
    scf.yield %s : f32
  } {d.x = 1}
  %1:2 = scf.for %k = %i to %i step %i iter_args(%acc = %0, %b = %i) -> (f32, index) {
    scf.yield %acc, %k : f32, index
  }
  return
}
