// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Float constants are named %cst.
// CHECK:      %cst = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %cst_0 = arith.constant 1.000000e-01 : f64
// CHECK-NEXT: %cst_1 = arith.constant 0x7F800000 : f32
// CHECK-NEXT: %cst_2 = arith.constant 9.997550e-02 : f16
// CHECK-NEXT: %cst_3 = arith.constant 2.000000e+00 : f8E5M2
// GENERIC: %1 = "arith.constant"() <{value = 1.000000e-01 : f64}> : () -> f64
%0 = arith.constant 1.0 : f32
%1 = arith.constant 0.1
%2 = arith.constant 0x7F800000 : f32
%3 = arith.constant 0.1 : f16
%4 = arith.constant 2.0 : f8E5M2
