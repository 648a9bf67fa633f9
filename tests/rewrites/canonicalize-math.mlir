// Constants of elementary functions. The values are exact: powers of two, integers, signs.
//
// RUN: orison-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @floats
func.func @floats() -> (f32, f16, f64, f32, f32, f32) {
  // CHECK-DAG: %[[EXP:.+]] = arith.constant 8.000000e+00 : f32
  // CHECK-DAG: %[[ROOT:.+]] = arith.constant 1.500000e+00 : f16
  // CHECK-DAG: %[[EVEN:.+]] = arith.constant -2.000000e+00 : f64
  // CHECK-DAG: %[[CLAMPED:.+]] = arith.constant 3.000000e+00 : f32
  // CHECK-DAG: %[[SUM:.+]] = arith.constant 1.200000e+01 : f32
  // CHECK-DAG: %[[INFINITE:.+]] = arith.constant 0xFF800000 : f32
  %three = arith.constant 3.0 : f32
  %square = arith.constant 2.25 : f16
  %tie = arith.constant -2.5 : f64
  %zero = arith.constant 0.0 : f32
  %0 = math.exp2 %three : f32
  %1 = math.sqrt %square : f16
  %2 = math.roundeven %tie : f64
  %3 = math.clampf %0 to [%zero, %three] : f32
  %4 = math.fma %three, %three, %three : f32
  %5 = math.log2 %zero : f32
  // CHECK: return %[[EXP]], %[[ROOT]], %[[EVEN]], %[[CLAMPED]], %[[SUM]], %[[INFINITE]]
  return %0, %1, %2, %3, %4, %5 : f32, f16, f64, f32, f32, f32
}

// CHECK-LABEL: func.func @tensors
func.func @tensors() -> (tensor<2xf32>, tensor<2xi1>, tensor<2xi8>) {
  // CHECK-DAG: arith.constant dense<[2.500000e+00, 0x7F800000]> : tensor<2xf32>
  // CHECK-DAG: arith.constant dense<[false, true]> : tensor<2xi1>
  // CHECK-DAG: arith.constant dense<[3, 8]> : tensor<2xi8>
  // CHECK-NOT: math
  %values = arith.constant dense<[-2.5, 0xFF800000]> : tensor<2xf32>
  %bits = arith.constant dense<[7, -1]> : tensor<2xi8>
  %0 = math.absf %values : tensor<2xf32>
  %1 = math.isinf %values : tensor<2xf32>
  %2 = math.ctpop %bits : tensor<2xi8>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xi1>, tensor<2xi8>
}

// CHECK-LABEL: func.func @integers
func.func @integers() -> (i8, i8, i8, i8) {
  // The smallest integer has no positive counterpart, and -3 to the power of 3 is -27.
  // CHECK-DAG: %[[SMALLEST:.+]] = arith.constant -128 : i8
  // CHECK-DAG: %[[LEADING:.+]] = arith.constant 4 : i8
  // CHECK-DAG: %[[TRAILING:.+]] = arith.constant 8 : i8
  // CHECK-DAG: %[[POWER:.+]] = arith.constant -27 : i8
  %smallest = arith.constant -128 : i8
  %ten = arith.constant 10 : i8
  %zero = arith.constant 0 : i8
  %base = arith.constant -3 : i8
  %exponent = arith.constant 3 : i8
  %0 = math.absi %smallest : i8
  %1 = math.ctlz %ten : i8
  %2 = math.cttz %zero : i8
  %3 = math.ipowi %base, %exponent : i8
  // CHECK: return %[[SMALLEST]], %[[LEADING]], %[[TRAILING]], %[[POWER]]
  return %0, %1, %2, %3 : i8, i8, i8, i8
}

// Results that are not numbers are left to the program, and so is a division by zero.
// CHECK-LABEL: func.func @unchanged
func.func @unchanged(%x: f32) -> (f32, f32, i8, f32) {
  // CHECK: math.sqrt
  // CHECK: math.log
  // CHECK: math.ipowi
  // CHECK: math.exp %{{.+}} : f32
  %negative = arith.constant -1.0 : f32
  %zero = arith.constant 0 : i8
  %minus_one = arith.constant -1 : i8
  %0 = math.sqrt %negative : f32
  %1 = math.log %negative : f32
  %2 = math.ipowi %zero, %minus_one : i8
  %3 = math.exp %x : f32
  return %0, %1, %2, %3 : f32, f32, i8, f32
}
