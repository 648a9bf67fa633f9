// RUN: orison-opt %s --print-width=60 | FileCheck %s --strict-whitespace --match-full-lines
// RUN: orison-opt %s --print-width=60 | orison-opt | FileCheck %s --check-prefix=BACK
// RUN: orison-opt %s --print-width=60 --mlir-print-value-users | orison-opt | FileCheck %s --check-prefix=BACK
// RUN: not orison-opt %s --print-width=0 2>&1 | FileCheck %s --check-prefix=ZERO

//      CHECK:  func.func @f(%arg0: tensor<4x4xf32>, %arg1: index,
// CHECK-NEXT:               %arg2: index, %arg3: index)
// CHECK-NEXT:      -> tensor<4x4xf32>
// CHECK-NEXT:      attributes {d.first = [1, 2, 3], d.second = "a b",
// CHECK-NEXT:                  d.third} {
// CHECK-NEXT:    %0 = scf.for %arg4 = %arg1 to %arg2 step %arg3
// CHECK-NEXT:        iter_args(%arg5 = %arg0) -> (tensor<4x4xf32>) {
// CHECK-NEXT:      %1 = arith.addf %arg5, %arg0
// CHECK-NEXT:          {d.note = "once"} : tensor<4x4xf32>
// CHECK-NEXT:      scf.yield %1 : tensor<4x4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %0 : tensor<4x4xf32>
// CHECK-NEXT:  }

// BACK: func.func @f(%arg0: tensor<4x4xf32>, %arg1: index, %arg2: index, %arg3: index) -> tensor<4x4xf32> attributes {d.first = [1, 2, 3], d.second = "a b", d.third} {
// BACK-NEXT: %0 = scf.for %arg4 = %arg1 to %arg2 step %arg3 iter_args(%arg5 = %arg0) -> (tensor<4x4xf32>) {
// BACK-NEXT: %1 = arith.addf %arg5, %arg0 {d.note = "once"} : tensor<4x4xf32>

// ZERO: invalid value '0' for '--print-width <columns>'
func.func @f(%x: tensor<4x4xf32>, %from: index, %to: index, %step: index) -> tensor<4x4xf32> attributes {d.first = [1, 2, 3], d.second = "a b", d.third} {
  %0 = scf.for %i = %from to %to step %step iter_args(%sum = %x) -> (tensor<4x4xf32>) {
    %next = arith.addf %sum, %x {d.note = "once"} : tensor<4x4xf32>
    scf.yield %next : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
