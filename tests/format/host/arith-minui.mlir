// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.minui on scalars, vectors, tensors and index.
func.func @f(%a: i7, %v: vector<[4]xi32>, %t: tensor<*xi16>, %i: index) {
  // CHECK:      %0 = arith.minui %arg0, %arg0 : i7
  // CHECK-NEXT: %1 = arith.minui %arg1, %arg1 : vector<[4]xi32>
  // CHECK-NEXT: %2 = arith.minui %arg2, %arg2 {d.x = "y"} : tensor<*xi16>
  // CHECK-NEXT: %3 = arith.minui %arg3, %arg3 : index
  // GENERIC: %3 = "arith.minui"(%arg3, %arg3) : (index, index) -> index
  %0 = arith.minui %a, %a : i7
  %1 = arith.minui %v, %v : vector<[4]xi32>
  %2 = arith.minui %t, %t {d.x = "y"} : tensor<*xi16>
  %3 = "arith.minui"(%i, %i) : (index, index) -> index
  return
}
