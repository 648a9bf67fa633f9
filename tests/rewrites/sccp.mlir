// RUN: orison-opt --allow-unregistered-dialect --sccp --split-input-file %s | FileCheck %s

// Constants are folded and moved to the front.
// CHECK-LABEL: func.func @folded
// CHECK: %[[C:.*]] = arith.constant 3 : i32
// CHECK: return %[[C]] : i32
func.func @folded() -> i32 {
  %0 = arith.constant 1 : i32
  %1 = arith.constant 2 : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}

// -----

// The reachable block has one executable predecessor. The unreachable block is not changed.
// CHECK-LABEL: func.func @branch
// CHECK: ^bb1(%{{.*}}: i32):
// CHECK-NEXT: return %c1_i32
// CHECK: ^bb2:
// CHECK-NEXT: cf.br ^bb1(%c2_i32
func.func @branch() -> i32 {
  %t = arith.constant true
  %0 = arith.constant 1 : i32
  %1 = arith.constant 2 : i32
  cf.cond_br %t, ^a(%0 : i32), ^b
^a(%2: i32):
  return %2 : i32
^b:
  cf.br ^a(%1 : i32)
}

// -----

// The case of a constant is the only one that can be taken.
// CHECK-LABEL: func.func @switch
// CHECK: return %c2_i32
func.func @switch() -> i32 {
  %f = arith.constant 5 : i32
  %0 = arith.constant 1 : i32
  %1 = arith.constant 2 : i32
  cf.switch %f : i32, [default: ^a(%0 : i32), 5: ^a(%1 : i32)]
^a(%2: i32):
  return %2 : i32
}

// -----

// Around the loop, 1 * 1 is 1 again: it takes both at once to see that. What counts up varies.
// CHECK-LABEL: func.func @loop
// CHECK: ^bb1(%[[I:.*]]: i32, %{{.*}}: i32):
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c1_i32 : i32
// CHECK: cf.br ^bb1(%[[NEXT]], %c1_i32 : i32, i32)
// CHECK: return %c1_i32
func.func @loop(%n: i32) -> i32 {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  cf.br ^head(%0, %1 : i32, i32)
^head(%i: i32, %k: i32):
  %c = arith.cmpi slt, %i, %n : i32
  cf.cond_br %c, ^body, ^exit
^body:
  %2 = arith.muli %k, %k : i32
  %3 = arith.addi %i, %2 : i32
  cf.br ^head(%3, %2 : i32, i32)
^exit:
  return %k : i32
}

// -----

// A block argument joins two different constants.
// CHECK-LABEL: func.func @meet
// CHECK: ^bb1(%[[X:.*]]: i32):
// CHECK-NEXT: return %[[X]]
func.func @meet(%c: i1) -> i32 {
  %0 = arith.constant 1 : i32
  %1 = arith.constant 2 : i32
  cf.cond_br %c, ^a(%0 : i32), ^a(%1 : i32)
^a(%2: i32):
  return %2 : i32
}

// -----

// Regions: of a conditional on a constant, of a loop that carries a constant, of one that carries
// something else.
// CHECK-LABEL: func.func @regions
// CHECK-NOT: scf.if
// CHECK: %[[R:.*]]:2 = scf.for
// CHECK: scf.yield %c1_i32, %{{.*}} : i32, i32
// CHECK: return %c1_i32, %c1_i32, %[[R]]#1
func.func @regions(%n: index, %x: i32) -> (i32, i32, i32) {
  %t = arith.constant true
  %lower = arith.constant 0 : index
  %step = arith.constant 1 : index
  %0 = arith.constant 1 : i32
  %1 = scf.if %t -> i32 {
    scf.yield %0 : i32
  } else {
    scf.yield %x : i32
  }
  %2:2 = scf.for %i = %lower to %n step %step iter_args(%a = %1, %b = %1) -> (i32, i32) {
    %3 = arith.muli %a, %a : i32
    %4 = arith.addi %b, %a : i32
    scf.yield %3, %4 : i32, i32
  }
  return %1, %2#0, %2#1 : i32, i32, i32
}

// -----

// A loop whose condition is false runs its first region once; the second one is out of reach.
// CHECK-LABEL: func.func @while
// CHECK-NOT: scf.while
// CHECK: return %c1_i32
func.func @while() -> i32 {
  %f = arith.constant false
  %0 = arith.constant 1 : i32
  %1 = scf.while (%a = %0) : (i32) -> i32 {
    scf.condition(%f) %a : i32
  } do {
  ^bb0(%b: i32):
    %2 = arith.constant 2 : i32
    scf.yield %2 : i32
  }
  return %1 : i32
}

// -----

// All calls of a private function are known, and so is what it returns.
// CHECK-LABEL: func.func private @callee
// CHECK: %[[C:.*]] = arith.constant 2 : i32
// CHECK: return %[[C]]
// CHECK-LABEL: func.func @caller
// CHECK: %[[C:.*]] = arith.constant 2 : i32
// CHECK: return %[[C]]
func.func private @callee(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
func.func @caller() -> i32 {
  %0 = arith.constant 1 : i32
  %1 = call @callee(%0) : (i32) -> i32
  return %1 : i32
}

// -----

// Others may call a public function, one whose name is a value, and one beside an operation that
// may hold anything.
// CHECK-LABEL: func.func @public(
// CHECK-SAME: %[[X:.*]]: i32
// CHECK: return %[[X]]
// CHECK-LABEL: func.func private @escapes(
// CHECK-SAME: %[[X:.*]]: i32
// CHECK: return %[[X]]
func.func @public(%x: i32) -> i32 {
  return %x : i32
}
func.func private @escapes(%x: i32) -> i32 {
  return %x : i32
}
func.func @calls() -> (i32, i32, (i32) -> i32) {
  %0 = arith.constant 1 : i32
  %1 = call @public(%0) : (i32) -> i32
  %2 = call @escapes(%0) : (i32) -> i32
  %3 = constant @escapes : (i32) -> i32
  return %1, %2, %3 : i32, i32, (i32) -> i32
}

// -----

// CHECK-LABEL: func.func private @beside(
// CHECK-SAME: %[[X:.*]]: i32
// CHECK: return %[[X]]
func.func private @beside(%x: i32) -> i32 {
  return %x : i32
}
func.func @calls() -> i32 {
  %0 = arith.constant 1 : i32
  %1 = call @beside(%0) : (i32) -> i32
  return %1 : i32
}
"d.table"() ({
  "d.in"() : () -> ()
}) : () -> ()

// -----

// A division by zero is not a constant; a multiplication by zero is one for any other factor.
// CHECK-LABEL: func.func @arithmetic
// CHECK: %[[Q:.*]] = arith.divsi
// CHECK: return %[[Q]], %c0_i32
func.func @arithmetic(%x: i32) -> (i32, i32) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.divsi %1, %0 : i32
  %3 = arith.muli %x, %0 : i32
  return %2, %3 : i32, i32
}

// -----

// Nothing outside a module without a parent can call its nested functions.
// CHECK-LABEL: func.func nested @nested
// CHECK: %[[C:.*]] = arith.constant 1 : i32
// CHECK: return %[[C]]
func.func nested @nested(%x: i32) -> i32 {
  return %x : i32
}
func.func @calls_nested() -> i32 {
  %one = arith.constant 1 : i32
  %r = func.call @nested(%one) : (i32) -> i32
  return %r : i32
}

// -----

// The users of this module can call them.
module @inner attributes {sym_visibility = "nested"} {
  // CHECK-LABEL: func.func nested @visible
  // CHECK: return %arg0
  func.func nested @visible(%x: i32) -> i32 {
    return %x : i32
  }
}

// -----

// A constant that is no case takes the default edge, also where the first case differs from it.
// CHECK-LABEL: func.func @switch_default
// CHECK: return %c1_i32
func.func @switch_default() -> i32 {
  %f = arith.constant 7 : i32
  %0 = arith.constant 1 : i32
  %1 = arith.constant 2 : i32
  cf.switch %f : i32, [default: ^a(%0 : i32), 5: ^a(%1 : i32), 6: ^a(%1 : i32)]
^a(%2: i32):
  return %2 : i32
}

// -----

// The counter of a loop is no constant: what the loop yields of it is none either.
// CHECK-LABEL: func.func @counter
// CHECK: %[[R:[0-9]+]] = scf.for %[[I:[a-z0-9]+]] =
// CHECK: scf.yield %[[I]]
// CHECK: return %[[R]]
func.func @counter(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (index) {
    scf.yield %i : index
  }
  return %r : index
}
