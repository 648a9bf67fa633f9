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

// Constants follow other operands of commutative operations.
// CHECK-LABEL: func.func @commutative
// CHECK: arith.addi %arg0, %c7_i32 : i32
func.func @commutative(%a: i32) -> i32 {
  %0 = arith.constant 7 : i32
  %1 = arith.addi %0, %a : i32
  return %1 : i32
}

// -----

// Unreachable blocks are erased, also if they refer to each other.
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

// Arguments of two blocks that are only passed to each other are erased together.
// CHECK-LABEL: func.func @cycle_of_blocks
// CHECK: cf.cond_br %arg1, ^bb1, ^bb2
// CHECK: cf.cond_br %arg1, ^bb1, ^bb3
func.func @cycle_of_blocks(%a: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^left(%a, %a : i32, i32), ^right(%a : i32)
^left(%x: i32, %y: i32):
  "d.left"() : () -> ()
  cf.br ^right(%x : i32)
^right(%z: i32):
  cf.cond_br %c, ^left(%z, %z : i32, i32), ^end
^end:
  return %a : i32
}

// -----

// Nothing is known about operations that are not registered.
// CHECK-LABEL: func.func @unknown
// CHECK-NEXT: "d.op"
func.func @unknown() {
  %0 = "d.op"() : () -> i32
  return
}

// -----

// A cast is undone by one of all its results in their order.
// CHECK-LABEL: func.func @casts
// CHECK: %[[A:.*]]:2 = builtin.unrealized_conversion_cast %arg0, %arg1
// CHECK: %[[B:.*]]:2 = builtin.unrealized_conversion_cast %[[A]]#0, %[[A]]#0
// CHECK: return %arg0, %arg1, %[[B]]#0, %[[B]]#1
func.func @casts(%x: i32, %y: i32) -> (i32, i32, i32, i32) {
  %0:2 = builtin.unrealized_conversion_cast %x, %y : i32, i32 to i64, i64
  %1:2 = builtin.unrealized_conversion_cast %0#0, %0#1 : i64, i64 to i32, i32
  %2:2 = builtin.unrealized_conversion_cast %0#0, %0#0 : i64, i64 to i32, i32
  return %1#0, %1#1, %2#0, %2#1 : i32, i32, i32, i32
}

// -----

// What branches pass to an argument that is used is used, on the back edge of a loop, too.
// CHECK-LABEL: func.func @carried
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK-NEXT: cf.br ^[[LOOP:.*]](%[[SUM]] : i32)
// CHECK: ^[[LOOP]](%[[V:.*]]: i32):
// CHECK-NEXT: %[[NEXT:.*]] = arith.muli %[[V]], %arg0
// CHECK: cf.cond_br %{{.*}}, ^[[LOOP]](%[[NEXT]] : i32), ^
func.func @carried(%n: i32) {
  %sum = arith.addi %n, %n : i32
  cf.br ^loop(%sum : i32)
^loop(%v: i32):
  %next = arith.muli %v, %n : i32
  %c = "t.more"(%v) : (i32) -> i1
  cf.cond_br %c, ^loop(%next : i32), ^end
^end:
  return
}
