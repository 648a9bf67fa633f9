// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.extsi: the type before `to` is the operand's.
func.func @f(%a: i8, %b: tensor<?xi1>) {
  // CHECK:      %0 = arith.extsi %arg0 : i8 to i32
  // CHECK-NEXT: %1 = arith.extsi %arg1 {d.x = [1]} : tensor<?xi1> to tensor<?xi2>
  // GENERIC: %0 = "arith.extsi"(%arg0) : (i8) -> i32
  // GENERIC-NEXT: %1 = "arith.extsi"(%arg1) {d.x = [1]} : (tensor<?xi1>) -> tensor<?xi2>
  %0 = arith.extsi %a : i8 to i32
  %1 = "arith.extsi"(%b) {d.x = [1]} : (tensor<?xi1>) -> tensor<?xi2>
  return
}
