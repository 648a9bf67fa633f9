// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Both forms in one function.
// CHECK: %0 = arith.addi %arg0, %arg0 : i32
// CHECK-NEXT: %1 = arith.muli %0, %arg0 : i32
// CHECK-NEXT: cf.br ^bb1(%1 : i32)
// CHECK-NEXT: ^bb1(%2: i32):  // pred: ^bb0
// CHECK-NEXT: return %2 : i32
func.func @f(%a: i32) -> i32 {
  %0 = "arith.addi"(%a, %a) : (i32, i32) -> i32
  %1 = arith.muli %0, %a : i32
  "cf.br"(%1)[^end] : (i32) -> ()
^end(%x: i32):
  return %x : i32
}
