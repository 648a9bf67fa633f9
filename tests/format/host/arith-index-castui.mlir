// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.index_castui: the type before `to` is the operand's.
func.func @f(%a: i8, %b: tensor<2xindex>) {
  // CHECK:      %0 = arith.index_castui %arg0 : i8 to index
  // CHECK-NEXT: %1 = arith.index_castui %arg1 {d.x = [1]} : tensor<2xindex> to tensor<2xi64>
  // GENERIC: %0 = "arith.index_castui"(%arg0) : (i8) -> index
  // GENERIC-NEXT: %1 = "arith.index_castui"(%arg1) {d.x = [1]} : (tensor<2xindex>) -> tensor<2xi64>
  %0 = arith.index_castui %a : i8 to index
  %1 = "arith.index_castui"(%b) {d.x = [1]} : (tensor<2xindex>) -> tensor<2xi64>
  return
}
