// RUN: orison-opt --test-single-fold --split-input-file --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s
// RUN: orison-opt --test-single-fold --split-input-file %s | FileCheck %s --check-prefix=ONCE
// RUN: orison-opt --test-single-fold=max-iterations=2 --split-input-file %s | FileCheck %s --check-prefix=TWICE

// Operands of the last operation are not folded yet when it is looked at.
// CHECK-LABEL: func.func @chain
// CHECK: %[[C:.*]] = arith.constant 3 : i32
// CHECK: arith.addi %[[C]], %[[C]]
func.func @chain() -> i32 {
  %0 = arith.constant 1 : i32
  %1 = arith.constant 2 : i32
  %2 = arith.addi %0, %1 : i32
  %3 = arith.addi %2, %2 : i32
  return %3 : i32
}

// -----

// A merged constant has no location.
// CHECK-LABEL: func.func @merged
// CHECK-NEXT: arith.constant 6 : i32 loc(unknown)
// CHECK-NEXT: return
func.func @merged() -> (i32, i32) {
  %0 = arith.constant 1 : i32
  %1 = arith.constant 5 : i32
  %2 = arith.addi %0, %1 : i32
  %3 = arith.constant 6 : i32
  return %2, %3 : i32, i32
}

// -----

// Constants are first moved after other operands.
// ONCE-LABEL: func.func @ordered
// ONCE: arith.addi %arg0, %
// TWICE-LABEL: func.func @ordered
// TWICE-NEXT: return %arg0
func.func @ordered(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %sum = arith.addi %zero, %x : i32
  return %sum : i32
}
