// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A loop without carried values; its empty yield is printed.
// CHECK:      scf.while : () -> () {
// CHECK-NEXT: scf.condition(%arg0)
// CHECK-NEXT: } do {
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
func.func @f(%c: i1) {
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
