// RUN: orison-opt --allow-unregistered-dialect --canonicalize --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @dead
// CHECK-NEXT: return
func.func @dead(%a: i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.muli %0, %0 : i32
  return
}

// -----

// There is one of each constant, at the front.
// CHECK-LABEL: func.func @constants
// CHECK-NEXT: %[[SEVEN:.*]] = arith.constant 7 : i32
// CHECK-NOT: arith.constant
// CHECK: "d.use"(%[[SEVEN]], %[[SEVEN]])
func.func @constants(%c: i1) {
  "d.first"() : () -> ()
  %0 = arith.constant 7 : i32
  cf.br ^b
^b:
  %1 = arith.constant 7 : i32
  "d.use"(%0, %1) : (i32, i32) -> ()
  return
}

// -----

// Constants stand behind other operands of commutative operations.
// CHECK-LABEL: func.func @commutative
// CHECK: arith.addi %arg0, %c7_i32 : i32
func.func @commutative(%a: i32) -> i32 {
  %0 = arith.constant 7 : i32
  %1 = arith.addi %0, %a : i32
  return %1 : i32
}

// -----

// Blocks that cannot be reached go, also when they refer to each other.
// CHECK-LABEL: func.func @unreachable
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @unreachable() {
  return
^a:
  %0 = arith.addi %1, %1 : i32
  cf.br ^b
^b:
  %1 = arith.addi %0, %0 : i32
  cf.br ^a
}

// -----

// So do values that only feed each other through block arguments.
// CHECK-LABEL: func.func @cycle
// CHECK-NOT: arith.addi
// CHECK: "d.more"() : () -> i1
func.func @cycle(%a: i32, %b: i32) -> i32 {
  cf.br ^loop(%a, %b : i32, i32)
^loop(%0: i32, %1: i32):
  %2 = arith.addi %0, %a : i32
  %3 = "d.more"() : () -> i1
  cf.cond_br %3, ^loop(%2, %1 : i32, i32), ^exit
^exit:
  return %1 : i32
}

// -----

// Nothing is known about operations that are not registered.
// CHECK-LABEL: func.func @unknown
// CHECK-NEXT: "d.op"
func.func @unknown() {
  %0 = "d.op"() : () -> i32
  return
}
