// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.index_cast: the type before `to` is the operand's.
func.func @f(%a: index, %b: vector<4xi64>) {
  // CHECK:      %0 = arith.index_cast %arg0 : index to i32
  // CHECK-NEXT: %1 = arith.index_cast %arg1 {d.x = [1]} : vector<4xi64> to vector<4xindex>
  // GENERIC: %0 = "arith.index_cast"(%arg0) : (index) -> i32
  // GENERIC-NEXT: %1 = "arith.index_cast"(%arg1) {d.x = [1]} : (vector<4xi64>) -> vector<4xindex>
  %0 = arith.index_cast %a : index to i32
  %1 = "arith.index_cast"(%b) {d.x = [1]} : (vector<4xi64>) -> vector<4xindex>
  return
}
