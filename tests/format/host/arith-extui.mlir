// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.extui: the type before `to` is the operand's.
func.func @f(%a: i8, %b: vector<4xi1>) {
  // CHECK:      %0 = arith.extui %arg0 : i8 to i32
  // CHECK-NEXT: %1 = arith.extui %arg1 {d.x = [1]} : vector<4xi1> to vector<4xi64>
  // GENERIC: %0 = "arith.extui"(%arg0) : (i8) -> i32
  // GENERIC-NEXT: %1 = "arith.extui"(%arg1) {d.x = [1]} : (vector<4xi1>) -> vector<4xi64>
  %0 = arith.extui %a : i8 to i32
  %1 = "arith.extui"(%b) {d.x = [1]} : (vector<4xi1>) -> vector<4xi64>
  return
}
