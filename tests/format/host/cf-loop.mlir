// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A counted loop over blocks.
// CHECK: cf.br ^bb1(%c0 : index)
// CHECK-NEXT: ^bb1(%0: index):  // 2 preds: ^bb0, ^bb2
// CHECK-NEXT: %1 = arith.cmpi slt, %0, %arg0 : index
// CHECK-NEXT: cf.cond_br %1, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:  // pred: ^bb1
// CHECK-NEXT: %2 = arith.addi %0, %c1 : index
// CHECK-NEXT: cf.br ^bb1(%2 : index)
// CHECK-NEXT: ^bb3:  // pred: ^bb1
func.func @count(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.br ^header(%zero : index)
^header(%i: index):
  %go = arith.cmpi slt, %i, %n : index
  cf.cond_br %go, ^body, ^exit
^body:
  %next = arith.addi %i, %one : index
  cf.br ^header(%next : index)
^exit:
  return
}
