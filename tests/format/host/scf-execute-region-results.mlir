// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Several results.
// CHECK: %0:2 = scf.execute_region -> (i32, i32) {
// CHECK-NEXT: cf.br ^bb1(%arg0 : i32)
// CHECK-NEXT: ^bb1(%1: i32):  // pred: ^bb0
// CHECK-NEXT: scf.yield %1, %arg0 : i32, i32
func.func @f(%a: i32) {
  %0:2 = scf.execute_region -> (i32, i32) {
    cf.br ^end(%a : i32)
  ^end(%x: i32):
    scf.yield %x, %a : i32, i32
  }
  return
}
