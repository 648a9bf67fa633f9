// RUN: orison-opt --allow-unregistered-dialect --cse --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @commutative
// CHECK-NEXT: %0 = arith.addi %arg0, %arg1 : i32
// CHECK-NEXT: return %0, %0 : i32, i32
func.func @commutative(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %b, %a : i32
  return %0, %1 : i32, i32
}

// -----

// Attributes count.
// CHECK-LABEL: func.func @attributes
// CHECK-COUNT-2: arith.addi
func.func @attributes(%a: i32) -> (i32, i32) {
  %0 = arith.addi %a, %a overflow<nsw> : i32
  %1 = arith.addi %a, %a : i32
  return %0, %1 : i32, i32
}

// -----

// A dominating block is as good as the same one; a sibling is not.
// CHECK-LABEL: func.func @blocks
// CHECK: %[[SUM:.*]] = arith.addi %arg0, %arg0 : i32
// CHECK: ^bb1:
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli
// CHECK-NEXT: cf.br ^bb3(%[[SUM]], %[[PRODUCT]] : i32, i32)
// CHECK: ^bb2:
// CHECK-NEXT: %[[OTHER:.*]] = arith.muli
// CHECK-NEXT: cf.br ^bb3(%[[SUM]], %[[OTHER]] : i32, i32)
func.func @blocks(%a: i32, %c: i1) -> (i32, i32, i32) {
  %0 = arith.addi %a, %a : i32
  cf.cond_br %c, ^a, ^b
^a:
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %a, %a : i32
  cf.br ^c(%1, %2 : i32, i32)
^b:
  %3 = arith.addi %a, %a : i32
  %4 = arith.muli %a, %a : i32
  cf.br ^c(%3, %4 : i32, i32)
^c(%5: i32, %6: i32):
  return %5, %6, %0 : i32, i32, i32
}

// -----

// Outer values are available in a region; values defined in it are not available after it.
// CHECK-LABEL: func.func @regions
// CHECK-COUNT-2: arith.muli
// CHECK-NOT: arith.muli
func.func @regions(%a: i32, %c: i1) -> i32 {
  %0 = scf.if %c -> i32 {
    %1 = arith.muli %a, %a : i32
    %2 = arith.muli %a, %a : i32
    %3 = arith.addi %1, %2 : i32
    scf.yield %3 : i32
  } else {
    scf.yield %a : i32
  }
  %4 = arith.muli %a, %a : i32
  %5 = arith.addi %0, %4 : i32
  return %5 : i32
}

// -----

// Operations with equal regions are equal.
// CHECK-LABEL: func.func @equal_regions
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK: return %[[RESULT:.*]], %[[RESULT]] : i32, i32
func.func @equal_regions(%a: i32, %c: i1) -> (i32, i32) {
  %0 = scf.if %c -> i32 {
    %1 = arith.muli %a, %a : i32
    scf.yield %1 : i32
  } else {
    scf.yield %a : i32
  }
  %2 = scf.if %c -> i32 {
    %3 = arith.muli %a, %a : i32
    scf.yield %3 : i32
  } else {
    scf.yield %a : i32
  }
  return %0, %2 : i32, i32
}

// -----

// Unregistered operations may have any effect; isolated regions are separate scopes.
// CHECK-LABEL: func.func @unknown
// CHECK-COUNT-2: "d.op"
func.func @unknown(%a: i32) -> (i32, i32) {
  %0 = "d.op"(%a) : (i32) -> i32
  %1 = "d.op"(%a) : (i32) -> i32
  return %0, %1 : i32, i32
}

// -----

// CHECK-LABEL: func.func @dead
// CHECK-NEXT: return
func.func @dead(%a: i32) {
  %0 = arith.addi %a, %a : i32
  return
}
