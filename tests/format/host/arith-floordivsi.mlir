// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.floordivsi on scalars, vectors, tensors and index.
func.func @f(%a: i7, %v: vector<[4]xi32>, %t: tensor<*xi16>, %i: index) {
  // CHECK:      %0 = arith.floordivsi %arg0, %arg0 : i7
  // CHECK-NEXT: %1 = arith.floordivsi %arg1, %arg1 : vector<[4]xi32>
  // CHECK-NEXT: %2 = arith.floordivsi %arg2, %arg2 {d.x = "y"} : tensor<*xi16>
  // CHECK-NEXT: %3 = arith.floordivsi %arg3, %arg3 : index
  // GENERIC: %3 = "arith.floordivsi"(%arg3, %arg3) : (index, index) -> index
  %0 = arith.floordivsi %a, %a : i7
  %1 = arith.floordivsi %v, %v : vector<[4]xi32>
  %2 = arith.floordivsi %t, %t {d.x = "y"} : tensor<*xi16>
  %3 = "arith.floordivsi"(%i, %i) : (index, index) -> index
  return
}
