// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.trunci with overflow flags.
func.func @f(%a: i32, %v: vector<4xi64>) {
  // CHECK:      %0 = arith.trunci %arg0 : i32 to i8
  // CHECK-NEXT: %1 = arith.trunci %arg0 overflow<nsw, nuw> {d.x} : i32 to i31
  // CHECK-NEXT: %2 = arith.trunci %arg1 overflow<nuw> : vector<4xi64> to vector<4xi1>
  // GENERIC: %0 = "arith.trunci"(%arg0) <{overflowFlags = #arith.overflow<none>}> : (i32) -> i8
  %0 = arith.trunci %a : i32 to i8
  %1 = arith.trunci %a overflow<nuw, nsw> {d.x} : i32 to i31
  %2 = arith.trunci %v overflow<nuw> : vector<4xi64> to vector<4xi1>
  return
}
