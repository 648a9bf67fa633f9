// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Arguments are visible in every block.
// CHECK: ^bb1:  // pred: ^bb0
// CHECK-NEXT: return %arg0 : i32
func.func @f(%a: i32) -> i32 {
  cf.br ^end
^end:
  return %a : i32
}
