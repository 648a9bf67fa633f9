// --debug-only shows what the greedy driver does: everything, or one rule.
//
// RUN: orison-opt --canonicalize --debug-only=greedy-rewriter %s -o %t 2>&1 | FileCheck %s
// RUN: orison-opt --canonicalize --debug-only=scf-if-empty-else %s -o %t 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: orison-opt --canonicalize %s -o %t 2>&1 | count 0
// RUN: orison-opt --canonicalize --debug %s -o %t 2>&1 | FileCheck %s

// Prints each operation with its location, then each step with its changes.
// CHECK: Processing operation : 'arith.addi' at {{.*}}patterns-debug-only.mlir:[[#@LINE+19]]:8 {
// CHECK-NEXT: %{{.*}} = "arith.addi"(%{{.*}}, %{{.*}}) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
// CHECK: * Fold {
// CHECK-NEXT: ** Replace : 'arith.addi'
// CHECK-NEXT: ** Erase   : 'arith.addi'
// CHECK-NEXT: } -> success : operation was folded
// CHECK-NEXT: } -> success : operation was folded
// CHECK: Processing operation : 'arith.muli'
// CHECK: * Dead {
// CHECK-NEXT: ** Erase   : 'arith.muli'
// CHECK-NEXT: } -> success : operation is trivially dead

// ONE-NOT: arith.addi
// ONE: Processing operation : 'scf.if'
// ONE: * Pattern scf-if-empty-else : 'scf.if -> ()' {
// ONE-NEXT: } -> failure :
// ONE-NOT: * Fold
func.func @f(%a: i32, %c: i1) -> i32 {
  %zero = arith.constant 0 : i32
  %0 = arith.addi %a, %zero : i32
  %1 = arith.muli %0, %0 : i32
  %2 = scf.if %c -> i32 {
    %3 = func.call @f(%a, %c) : (i32, i1) -> i32
    scf.yield %3 : i32
  } else {
    scf.yield %0 : i32
  }
  return %2 : i32
}
