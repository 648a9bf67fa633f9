// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.subi: overflow flags, none of which is the default.
func.func @f(%a: i32, %b: i32, %v: vector<4xi8>, %t: tensor<?xi1>, %i: index) {
  // CHECK:      %0 = arith.subi %arg0, %arg1 : i32
  // CHECK-NEXT: %1 = arith.subi %arg0, %arg1 overflow<nsw> : i32
  // CHECK-NEXT: %2 = arith.subi %arg0, %arg1 overflow<nsw, nuw> {d.x = 1 : i64} : i32
  // CHECK-NEXT: %3 = arith.subi %arg2, %arg2 overflow<nuw> : vector<4xi8>
  // CHECK-NEXT: %4 = arith.subi %arg3, %arg3 : tensor<?xi1>
  // CHECK-NEXT: %5 = arith.subi %arg4, %arg4 : index
  // GENERIC: %0 = "arith.subi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  // GENERIC-NEXT: %1 = "arith.subi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
  // GENERIC-NEXT: %2 = "arith.subi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<nsw, nuw>}> {d.x = 1 : i64} : (i32, i32) -> i32
  %0 = arith.subi %a, %b overflow<none> : i32
  %1 = arith.subi %a, %b overflow<nsw> : i32
  %2 = arith.subi %a, %b overflow<nuw, nsw> {d.x = 1} : i32
  %3 = arith.subi %v, %v overflow<nuw> : vector<4xi8>
  %4 = arith.subi %t, %t : tensor<?xi1>
  %5 = arith.subi %i, %i : index
  return
}
