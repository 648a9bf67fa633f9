// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Constants of vectors and tensors.
// CHECK:      %cst = arith.constant dense<1> : vector<4xi32>
// CHECK-NEXT: %cst_0 = arith.constant dense<[1, 2]> : tensor<2xi8>
// CHECK-NEXT: %cst_1 = arith.constant dense<0.000000e+00> : vector<[4]xf32>
// CHECK-NEXT: %cst_2 = arith.constant sparse<0, 1> : tensor<2xi32>
// CHECK-NEXT: %cst_3 = arith.constant dense_resource<x> : tensor<2xi32>
// CHECK-NEXT: %cst_4 = arith.constant {d.x} dense<true> : tensor<i1>
%0 = arith.constant dense<1> : vector<4xi32>
%1 = arith.constant dense<[1, 2]> : tensor<2xi8>
%2 = arith.constant dense<0.0> : vector<[4]xf32>
%3 = arith.constant sparse<0, 1> : tensor<2xi32>
%4 = arith.constant dense_resource<x> : tensor<2xi32>
%5 = arith.constant {d.x} dense<true> : tensor<i1>
