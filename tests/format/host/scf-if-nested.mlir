// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Values in both branches have the same numbering.
// CHECK: scf.if %arg0 {
// CHECK-NEXT: %0 = "d.def"() : () -> i32
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT: %1 = "d.op"(%0) : (i32) -> i32
// CHECK-NEXT: }
// CHECK-NEXT: } else {
// CHECK-NEXT: %0 = "d.def"() : () -> i32
func.func @f(%c: i1) {
  scf.if %c {
    %x = "d.def"() : () -> i32
    scf.if %c {
      %y = "d.op"(%x) : (i32) -> i32
    }
  } else {
    %x = "d.def"() : () -> i32
  }
  return
}
