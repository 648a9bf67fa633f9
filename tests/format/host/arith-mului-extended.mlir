// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.mului_extended: both results have names, made unique with a number.
func.func @f(%a: i32, %v: vector<4xi8>) -> i32 {
  // CHECK:      %low, %high = arith.mului_extended %arg0, %arg0 : i32
  // CHECK-NEXT: %low_0, %high_1 = arith.mului_extended %arg1, %arg1 {d.x} : vector<4xi8>
  // CHECK-NEXT: return %low : i32
  // GENERIC: %0:2 = "arith.mului_extended"(%arg0, %arg0) : (i32, i32) -> (i32, i32)
  // GENERIC: "func.return"(%0#0) : (i32) -> ()
  %0, %1 = arith.mului_extended %a, %a : i32
  %2:2 = arith.mului_extended %v, %v {d.x} : vector<4xi8>
  return %0 : i32
}
