// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Integer constants are named after their value and type; index has no suffix, i1 is `true` or `false`.
// CHECK:      %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT: %c-5_i8 = arith.constant -5 : i8
// CHECK-NEXT: %c7 = arith.constant 7 : index
// CHECK-NEXT: %c-7 = arith.constant -7 : index
// CHECK-NEXT: %true = arith.constant true
// CHECK-NEXT: %false = arith.constant false
// CHECK-NEXT: %c1_i32_0 = arith.constant 1 : i32
// CHECK-NEXT: %c1_i32_1 = arith.constant {d.x} 1 : i32
// CHECK-NEXT: %c-1_i2 = arith.constant -1 : i2
// CHECK-NEXT: %c99999999999999999999_i128 = arith.constant 99999999999999999999 : i128
// CHECK-NEXT: %c3_i64 = arith.constant 3 : i64
// GENERIC: %4 = "arith.constant"() <{value = true}> : () -> i1
// GENERIC: %10 = "arith.constant"() <{value = 3 : i64}> : () -> i64
%0 = arith.constant 1 : i32
%1 = arith.constant -5 : i8
%2 = arith.constant 7 : index
%3 = arith.constant -7 : index
%4 = arith.constant true
%5 = arith.constant 0 : i1
%6 = arith.constant 1 : i32
%7 = arith.constant {d.x} 1 : i32
%8 = arith.constant 3 : i2
%9 = arith.constant 99999999999999999999 : i128
%10 = arith.constant 3
