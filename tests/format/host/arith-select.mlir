// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.select: the condition's type is printed where it is not i1.
func.func @f(%c: i1, %vc: vector<4xi1>, %a: f32, %v: vector<4xi8>, %x: !d.t, %t: tensor<2xi8>, %tc: tensor<2xi1>) {
  // CHECK:      %0 = arith.select %arg0, %arg2, %arg2 : f32
  // CHECK-NEXT: %1 = arith.select %arg0, %arg3, %arg3 : vector<4xi8>
  // CHECK-NEXT: %2 = arith.select %arg1, %arg3, %arg3 : vector<4xi1>, vector<4xi8>
  // CHECK-NEXT: %3 = arith.select %arg0, %arg4, %arg4 {d.x} : !d.t
  // CHECK-NEXT: %4 = arith.select %arg6, %arg5, %arg5 : tensor<2xi1>, tensor<2xi8>
  // GENERIC: %2 = "arith.select"(%arg1, %arg3, %arg3) : (vector<4xi1>, vector<4xi8>, vector<4xi8>) -> vector<4xi8>
  %0 = arith.select %c, %a, %a : f32
  %1 = arith.select %c, %v, %v : vector<4xi8>
  %2 = arith.select %vc, %v, %v : vector<4xi1>, vector<4xi8>
  %3 = arith.select %c, %x, %x {d.x} : !d.t
  %4 = arith.select %tc, %t, %t : tensor<2xi1>, tensor<2xi8>
  return
}
