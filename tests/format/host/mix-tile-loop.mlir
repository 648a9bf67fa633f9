// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A reduction over tiles, as in tile programs.
// CHECK: func.func @tiles(%arg0: index, %arg1: vector<4xf32>) -> vector<4xf32> {
// CHECK-NEXT: %cst = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = scf.for %arg2 = %c0 to %arg0 step %c1 iter_args(%arg3 = %cst) -> (vector<4xf32>) {
// CHECK-NEXT: %1 = "d.load"(%arg2) : (index) -> vector<4xf32>
// CHECK-NEXT: %2 = arith.mulf %1, %arg1 fastmath<contract> : vector<4xf32>
// CHECK-NEXT: %3 = arith.addf %2, %arg3 fastmath<contract> : vector<4xf32>
// CHECK-NEXT: scf.yield %3 : vector<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : vector<4xf32>
func.func @tiles(%n: index, %b: vector<4xf32>) -> vector<4xf32> {
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
    %a = "d.load"(%k) : (index) -> vector<4xf32>
    %p = arith.mulf %a, %b fastmath<contract> : vector<4xf32>
    %s = arith.addf %p, %acc fastmath<contract> : vector<4xf32>
    scf.yield %s : vector<4xf32>
  }
  return %sum : vector<4xf32>
}
