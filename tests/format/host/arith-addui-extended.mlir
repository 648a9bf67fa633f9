// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.addui_extended: both results have names, made unique with a number.
func.func @f(%a: i32, %v: vector<4xi8>) -> i32 {
  // CHECK:      %sum, %overflow = arith.addui_extended %arg0, %arg0 : i32, i1
  // CHECK-NEXT: %sum_0, %overflow_1 = arith.addui_extended %arg1, %arg1 {d.x} : vector<4xi8>, vector<4xi1>
  // CHECK-NEXT: return %sum : i32
  // GENERIC: %0:2 = "arith.addui_extended"(%arg0, %arg0) : (i32, i32) -> (i32, i1)
  // GENERIC: "func.return"(%0#0) : (i32) -> ()
  %0, %1 = arith.addui_extended %a, %a : i32, i1
  %2:2 = arith.addui_extended %v, %v {d.x} : vector<4xi8>, vector<4xi1>
  return %0 : i32
}
