// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.shrsi: the exact flag is a unit property.
func.func @f(%a: i32, %v: vector<2x2xi64>, %i: index) {
  // CHECK:      %0 = arith.shrsi %arg0, %arg0 : i32
  // CHECK-NEXT: %1 = arith.shrsi %arg0, %arg0 exact : i32
  // CHECK-NEXT: %2 = arith.shrsi %arg1, %arg1 exact {d.x} : vector<2x2xi64>
  // CHECK-NEXT: %3 = arith.shrsi %arg2, %arg2 : index
  // GENERIC: %0 = "arith.shrsi"(%arg0, %arg0) : (i32, i32) -> i32
  // GENERIC-NEXT: %1 = "arith.shrsi"(%arg0, %arg0) <{isExact}> : (i32, i32) -> i32
  %0 = arith.shrsi %a, %a : i32
  %1 = arith.shrsi %a, %a exact : i32
  %2 = arith.shrsi %v, %v exact {d.x} : vector<2x2xi64>
  %3 = "arith.shrsi"(%i, %i) : (index, index) -> index
  return
}
