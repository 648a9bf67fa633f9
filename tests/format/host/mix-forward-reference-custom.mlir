// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A custom form uses a value that is defined later.
// CHECK: ^bb1:  // pred: ^bb2
// CHECK-NEXT: %0 = arith.addi %1, %1 : i32
// CHECK-NEXT: return %0 : i32
// CHECK-NEXT: ^bb2:  // pred: ^bb0
// CHECK-NEXT: %1 = "d.def"() : () -> i32
// CHECK-NEXT: cf.br ^bb1
func.func @f() -> i32 {
  cf.br ^def
^use:
  %s = arith.addi %x, %x : i32
  return %s : i32
^def:
  %x = "d.def"() : () -> i32
  cf.br ^use
}
