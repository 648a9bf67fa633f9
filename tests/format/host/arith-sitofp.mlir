// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.sitofp: the type before `to` is the operand's.
func.func @f(%a: i32, %b: vector<2xi1>) {
  // CHECK:      %0 = arith.sitofp %arg0 : i32 to f32
  // CHECK-NEXT: %1 = arith.sitofp %arg1 {d.x = [1]} : vector<2xi1> to vector<2xf64>
  // GENERIC: %0 = "arith.sitofp"(%arg0) : (i32) -> f32
  // GENERIC-NEXT: %1 = "arith.sitofp"(%arg1) {d.x = [1]} : (vector<2xi1>) -> vector<2xf64>
  %0 = arith.sitofp %a : i32 to f32
  %1 = "arith.sitofp"(%b) {d.x = [1]} : (vector<2xi1>) -> vector<2xf64>
  return
}
