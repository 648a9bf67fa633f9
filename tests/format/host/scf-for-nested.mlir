// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Induction variables of nested loops are numbered consecutively; siblings reuse names.
// CHECK: scf.for %arg1 = %arg0 to %arg0 step %arg0 {
// CHECK-NEXT: scf.for %arg2 = %arg1 to %arg0 step %arg0 {
// CHECK-NEXT: }
// CHECK-NEXT: scf.for %arg2 = %arg0 to %arg1 step %arg0 {
// CHECK-NEXT: }
func.func @f(%a: index) {
  scf.for %i = %a to %a step %a {
    scf.for %j = %i to %a step %a {}
    scf.for %j = %a to %i step %a {}
  }
  return
}
