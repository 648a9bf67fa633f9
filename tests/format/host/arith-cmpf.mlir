// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.cmpf: every predicate.
func.func @f(%a: f32, %v: vector<4xf16>) {
  // CHECK:      %0 = arith.cmpf false, %arg0, %arg0 : f32
  // CHECK-NEXT: %1 = arith.cmpf oeq, %arg0, %arg0 : f32
  // CHECK-NEXT: %2 = arith.cmpf ogt, %arg0, %arg0 : f32
  // CHECK-NEXT: %3 = arith.cmpf oge, %arg0, %arg0 : f32
  // CHECK-NEXT: %4 = arith.cmpf olt, %arg0, %arg0 : f32
  // CHECK-NEXT: %5 = arith.cmpf ole, %arg0, %arg0 : f32
  // CHECK-NEXT: %6 = arith.cmpf one, %arg0, %arg0 : f32
  // CHECK-NEXT: %7 = arith.cmpf ord, %arg0, %arg0 : f32
  // CHECK-NEXT: %8 = arith.cmpf ueq, %arg0, %arg0 : f32
  // CHECK-NEXT: %9 = arith.cmpf ugt, %arg0, %arg0 : f32
  // CHECK-NEXT: %10 = arith.cmpf uge, %arg0, %arg0 : f32
  // CHECK-NEXT: %11 = arith.cmpf ult, %arg0, %arg0 : f32
  // CHECK-NEXT: %12 = arith.cmpf ule, %arg0, %arg0 : f32
  // CHECK-NEXT: %13 = arith.cmpf une, %arg0, %arg0 : f32
  // CHECK-NEXT: %14 = arith.cmpf uno, %arg0, %arg0 : f32
  // CHECK-NEXT: %15 = arith.cmpf true, %arg0, %arg0 : f32
  // CHECK-NEXT: %16 = arith.cmpf oeq, %arg1, %arg1 fastmath<nnan> {d.x} : vector<4xf16>
  // GENERIC: %0 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 0 : i64}> : (f32, f32) -> i1
  // GENERIC-NEXT: %1 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 1 : i64}> : (f32, f32) -> i1
  // GENERIC-NEXT: %2 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
  // GENERIC-NEXT: %3 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 3 : i64}> : (f32, f32) -> i1
  // GENERIC-NEXT: %4 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 4 : i64}> : (f32, f32) -> i1
  // GENERIC-NEXT: %5 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 5 : i64}> : (f32, f32) -> i1
  // GENERIC-NEXT: %6 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 6 : i64}> : (f32, f32) -> i1
  // GENERIC-NEXT: %7 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 7 : i64}> : (f32, f32) -> i1
  // GENERIC-NEXT: %8 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 8 : i64}> : (f32, f32) -> i1
  // GENERIC-NEXT: %9 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 9 : i64}> : (f32, f32) -> i1
  // GENERIC-NEXT: %10 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 10 : i64}> : (f32, f32) -> i1
  // GENERIC-NEXT: %11 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 11 : i64}> : (f32, f32) -> i1
  // GENERIC-NEXT: %12 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 12 : i64}> : (f32, f32) -> i1
  // GENERIC-NEXT: %13 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 13 : i64}> : (f32, f32) -> i1
  // GENERIC-NEXT: %14 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 14 : i64}> : (f32, f32) -> i1
  // GENERIC-NEXT: %15 = "arith.cmpf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 15 : i64}> : (f32, f32) -> i1
  %0 = arith.cmpf false, %a, %a : f32
  %1 = arith.cmpf oeq, %a, %a : f32
  %2 = arith.cmpf ogt, %a, %a : f32
  %3 = arith.cmpf oge, %a, %a : f32
  %4 = arith.cmpf olt, %a, %a : f32
  %5 = arith.cmpf ole, %a, %a : f32
  %6 = arith.cmpf one, %a, %a : f32
  %7 = arith.cmpf ord, %a, %a : f32
  %8 = arith.cmpf ueq, %a, %a : f32
  %9 = arith.cmpf ugt, %a, %a : f32
  %10 = arith.cmpf uge, %a, %a : f32
  %11 = arith.cmpf ult, %a, %a : f32
  %12 = arith.cmpf ule, %a, %a : f32
  %13 = arith.cmpf une, %a, %a : f32
  %14 = arith.cmpf uno, %a, %a : f32
  %15 = arith.cmpf true, %a, %a : f32
  %16 = arith.cmpf oeq, %v, %v fastmath<nnan> {d.x} : vector<4xf16>
  return
}
