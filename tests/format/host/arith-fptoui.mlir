// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.fptoui: the type before `to` is the operand's.
func.func @f(%a: f16, %b: tensor<3xf32>) {
  // CHECK:      %0 = arith.fptoui %arg0 : f16 to i64
  // CHECK-NEXT: %1 = arith.fptoui %arg1 {d.x = [1]} : tensor<3xf32> to tensor<3xi1>
  // GENERIC: %0 = "arith.fptoui"(%arg0) : (f16) -> i64
  // GENERIC-NEXT: %1 = "arith.fptoui"(%arg1) {d.x = [1]} : (tensor<3xf32>) -> tensor<3xi1>
  %0 = arith.fptoui %a : f16 to i64
  %1 = "arith.fptoui"(%b) {d.x = [1]} : (tensor<3xf32>) -> tensor<3xi1>
  return
}
