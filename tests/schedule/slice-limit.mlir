// RUN: orison-opt --allow-unregistered-dialect %s --tileas-slice | FileCheck %s

// 32 times 32 slices of one element are the most that an operation is divided into.
// CHECK-COUNT-1024: arith.negf
// CHECK-NOT: arith.negf
func.func @most(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = arith.negf %x {tileas.preferred_atom_size = 1 : i32} : tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
