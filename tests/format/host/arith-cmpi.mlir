// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.cmpi: every predicate.
func.func @f(%a: i32, %v: vector<4xindex>) {
  // CHECK:      %0 = arith.cmpi eq, %arg0, %arg0 : i32
  // CHECK-NEXT: %1 = arith.cmpi ne, %arg0, %arg0 : i32
  // CHECK-NEXT: %2 = arith.cmpi slt, %arg0, %arg0 : i32
  // CHECK-NEXT: %3 = arith.cmpi sle, %arg0, %arg0 : i32
  // CHECK-NEXT: %4 = arith.cmpi sgt, %arg0, %arg0 : i32
  // CHECK-NEXT: %5 = arith.cmpi sge, %arg0, %arg0 : i32
  // CHECK-NEXT: %6 = arith.cmpi ult, %arg0, %arg0 : i32
  // CHECK-NEXT: %7 = arith.cmpi ule, %arg0, %arg0 : i32
  // CHECK-NEXT: %8 = arith.cmpi ugt, %arg0, %arg0 : i32
  // CHECK-NEXT: %9 = arith.cmpi uge, %arg0, %arg0 : i32
  // CHECK-NEXT: %10 = arith.cmpi ne, %arg1, %arg1 {d.x} : vector<4xindex>
  // GENERIC: %0 = "arith.cmpi"(%arg0, %arg0) <{predicate = 0 : i64}> : (i32, i32) -> i1
  // GENERIC-NEXT: %1 = "arith.cmpi"(%arg0, %arg0) <{predicate = 1 : i64}> : (i32, i32) -> i1
  // GENERIC-NEXT: %2 = "arith.cmpi"(%arg0, %arg0) <{predicate = 2 : i64}> : (i32, i32) -> i1
  // GENERIC-NEXT: %3 = "arith.cmpi"(%arg0, %arg0) <{predicate = 3 : i64}> : (i32, i32) -> i1
  // GENERIC-NEXT: %4 = "arith.cmpi"(%arg0, %arg0) <{predicate = 4 : i64}> : (i32, i32) -> i1
  // GENERIC-NEXT: %5 = "arith.cmpi"(%arg0, %arg0) <{predicate = 5 : i64}> : (i32, i32) -> i1
  // GENERIC-NEXT: %6 = "arith.cmpi"(%arg0, %arg0) <{predicate = 6 : i64}> : (i32, i32) -> i1
  // GENERIC-NEXT: %7 = "arith.cmpi"(%arg0, %arg0) <{predicate = 7 : i64}> : (i32, i32) -> i1
  // GENERIC-NEXT: %8 = "arith.cmpi"(%arg0, %arg0) <{predicate = 8 : i64}> : (i32, i32) -> i1
  // GENERIC-NEXT: %9 = "arith.cmpi"(%arg0, %arg0) <{predicate = 9 : i64}> : (i32, i32) -> i1
  %0 = arith.cmpi eq, %a, %a : i32
  %1 = arith.cmpi ne, %a, %a : i32
  %2 = arith.cmpi slt, %a, %a : i32
  %3 = arith.cmpi sle, %a, %a : i32
  %4 = arith.cmpi sgt, %a, %a : i32
  %5 = arith.cmpi sge, %a, %a : i32
  %6 = arith.cmpi ult, %a, %a : i32
  %7 = arith.cmpi ule, %a, %a : i32
  %8 = arith.cmpi ugt, %a, %a : i32
  %9 = arith.cmpi uge, %a, %a : i32
  %10 = arith.cmpi "ne", %v, %v {d.x} : vector<4xindex>
  return
}
