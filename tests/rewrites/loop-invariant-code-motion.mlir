// RUN: orison-opt --allow-unregistered-dialect --loop-invariant-code-motion --split-input-file %s | FileCheck %s

// Out of both loops, out of one, and not at all.
// CHECK-LABEL: func.func @nested
// CHECK: %[[SUM:.*]] = arith.addi %arg1, %arg1 : i32
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[SUM]], %[[SUM]] : i32
// CHECK-NEXT: scf.for %[[I:.*]] =
// CHECK-NEXT: %[[OUTER:.*]] = arith.index_cast %[[I]]
// CHECK-NEXT: scf.for %[[J:.*]] =
// CHECK-NEXT: %[[INNER:.*]] = arith.index_cast %[[J]]
// CHECK-NEXT: "d.use"(%[[PRODUCT]], %[[OUTER]], %[[INNER]])
func.func @nested(%n: index, %x: i32) {
  %lower = arith.constant 0 : index
  %step = arith.constant 1 : index
  scf.for %i = %lower to %n step %step {
    scf.for %j = %lower to %n step %step {
      %0 = arith.addi %x, %x : i32
      %1 = arith.muli %0, %0 : i32
      %2 = arith.index_cast %i : index to i32
      %3 = arith.index_cast %j : index to i32
      "d.use"(%1, %2, %3) : (i32, i32, i32) -> ()
    }
  }
  return
}

// -----

// The loop may not run: what could fail then stays. Division by 7 cannot, by -1 signed it can.
// CHECK-LABEL: func.func @harmful
// CHECK: arith.divsi %arg1, %c7_i32
// CHECK-NEXT: arith.divui %arg1, %c-1_i32
// CHECK-NEXT: scf.for
// CHECK-NEXT: arith.divsi %arg1, %arg2
// CHECK-NEXT: arith.divsi %arg1, %c-1_i32
// CHECK-NEXT: arith.remui %arg1, %arg2
// CHECK-NEXT: arith.ceildivui %arg1, %c0_i32
func.func @harmful(%n: index, %x: i32, %y: i32) {
  %lower = arith.constant 0 : index
  %step = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  scf.for %i = %lower to %n step %step {
    %0 = arith.divsi %x, %y : i32
    %1 = arith.divsi %x, %seven : i32
    %2 = arith.divsi %x, %minus : i32
    %3 = arith.divui %x, %minus : i32
    %4 = arith.remui %x, %y : i32
    %5 = arith.ceildivui %x, %zero : i32
    "d.use"(%0, %1, %2, %3, %4, %5) : (i32, i32, i32, i32, i32, i32) -> ()
  }
  return
}

// -----

// Operations with regions leave as a whole, when everything in them may: not one that may fail, and
// not a loop that may not end.
// CHECK-LABEL: func.func @whole
// CHECK: scf.if
// CHECK-NEXT: arith.addi
// CHECK: scf.for {{.*}} step %c1 iter_args
// CHECK-NEXT: arith.addi
// CHECK: scf.for
// CHECK-NEXT: scf.if
// CHECK-NEXT: arith.divsi
// CHECK: scf.for {{.*}} step %arg0 iter_args
func.func @whole(%n: index, %c: i1, %x: i32, %y: i32) {
  %lower = arith.constant 0 : index
  %step = arith.constant 1 : index
  scf.for %i = %lower to %n step %step {
    %0 = scf.if %c -> i32 {
      %4 = arith.addi %x, %y : i32
      scf.yield %4 : i32
    } else {
      scf.yield %x : i32
    }
    %1 = scf.if %c -> i32 {
      %4 = arith.divsi %x, %y : i32
      scf.yield %4 : i32
    } else {
      scf.yield %x : i32
    }
    %2 = scf.for %j = %lower to %n step %step iter_args(%a = %x) -> i32 {
      %4 = arith.addi %a, %y : i32
      scf.yield %4 : i32
    }
    %3 = scf.for %j = %lower to %n step %n iter_args(%a = %x) -> i32 {
      %4 = arith.addi %a, %y : i32
      scf.yield %4 : i32
    }
    "d.use"(%0, %1, %2, %3) : (i32, i32, i32, i32) -> ()
  }
  return
}

// -----

// Both regions of a scf.while are loops; so are parallel ones. Inside a conditional in a loop nothing
// moves: it may not be executed.
// CHECK-LABEL: func.func @loops
// CHECK: %[[A:.*]] = arith.muli %arg1, %arg1
// CHECK-NEXT: %[[B:.*]] = arith.addi %arg1, %arg1
// CHECK-NEXT: scf.while
// CHECK: %[[C:.*]] = arith.subi %arg1, %arg1
// CHECK-NEXT: scf.parallel
// CHECK: %[[D:.*]] = arith.xori %arg1, %arg1
// CHECK-NEXT: scf.forall
// CHECK: scf.for
// CHECK-NEXT: scf.if
// CHECK-NEXT: arith.andi
func.func @loops(%n: index, %x: i32, %c: i1) {
  %lower = arith.constant 0 : index
  %step = arith.constant 1 : index
  %0 = scf.while (%a = %x) : (i32) -> i32 {
    %1 = arith.muli %x, %x : i32
    %2 = arith.cmpi slt, %a, %1 : i32
    scf.condition(%2) %a : i32
  } do {
  ^bb0(%a: i32):
    %1 = arith.addi %x, %x : i32
    %2 = arith.addi %a, %1 : i32
    scf.yield %2 : i32
  }
  scf.parallel (%i) = (%lower) to (%n) step (%step) {
    %1 = arith.subi %x, %x : i32
    "d.use"(%1, %i) : (i32, index) -> ()
    scf.reduce
  }
  scf.forall (%i) in (%n) {
    %1 = arith.xori %x, %x : i32
    "d.use"(%1, %i) : (i32, index) -> ()
  }
  scf.for %i = %lower to %n step %step {
    scf.if %c {
      %1 = arith.andi %x, %x : i32
      "d.use"(%1, %i) : (i32, index) -> ()
    }
  }
  return
}

// -----

// Nothing is known about operations that are not registered, and a call may do anything.
// CHECK-LABEL: func.func @unknown
// CHECK: scf.for
// CHECK-NEXT: "d.op"
// CHECK-NEXT: call
func.func private @callee()
func.func @unknown(%n: index) {
  %lower = arith.constant 0 : index
  %step = arith.constant 1 : index
  scf.for %i = %lower to %n step %step {
    "d.op"() : () -> ()
    func.call @callee() : () -> ()
  }
  return
}

// -----

// A decision on poison is undefined, and the shift may be poison: the conditional stays where it is.
// CHECK-LABEL: func.func @poison
// CHECK: scf.for
// CHECK-NEXT: scf.if
func.func @poison(%n: index, %x: i32, %y: i32) {
  %lower = arith.constant 0 : index
  %step = arith.constant 1 : index
  %0 = arith.shli %x, %y : i32
  %1 = arith.cmpi slt, %0, %x : i32
  scf.for %i = %lower to %n step %step {
    %2 = scf.if %1 -> i32 {
      %3 = arith.addi %x, %y : i32
      scf.yield %3 : i32
    } else {
      scf.yield %x : i32
    }
    "d.use"(%2) : (i32) -> ()
  }
  return
}
