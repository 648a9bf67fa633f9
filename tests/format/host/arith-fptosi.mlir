// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.fptosi: the type before `to` is the operand's.
func.func @f(%a: f32, %b: vector<[2]xf64>) {
  // CHECK:      %0 = arith.fptosi %arg0 : f32 to i32
  // CHECK-NEXT: %1 = arith.fptosi %arg1 {d.x = [1]} : vector<[2]xf64> to vector<[2]xi8>
  // GENERIC: %0 = "arith.fptosi"(%arg0) : (f32) -> i32
  // GENERIC-NEXT: %1 = "arith.fptosi"(%arg1) {d.x = [1]} : (vector<[2]xf64>) -> vector<[2]xi8>
  %0 = arith.fptosi %a : f32 to i32
  %1 = "arith.fptosi"(%b) {d.x = [1]} : (vector<[2]xf64>) -> vector<[2]xi8>
  return
}
