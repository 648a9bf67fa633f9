// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.uitofp: the type before `to` is the operand's.
func.func @f(%a: i64, %b: tensor<?xi8>) {
  // CHECK:      %0 = arith.uitofp %arg0 : i64 to bf16
  // CHECK-NEXT: %1 = arith.uitofp %arg1 {d.x = [1]} : tensor<?xi8> to tensor<?xf16>
  // GENERIC: %0 = "arith.uitofp"(%arg0) : (i64) -> bf16
  // GENERIC-NEXT: %1 = "arith.uitofp"(%arg1) {d.x = [1]} : (tensor<?xi8>) -> tensor<?xf16>
  %0 = arith.uitofp %a : i64 to bf16
  %1 = "arith.uitofp"(%b) {d.x = [1]} : (tensor<?xi8>) -> tensor<?xf16>
  return
}
