// RUN: orison-opt --allow-unregistered-dialect --canonicalize --split-input-file %s | FileCheck %s

// scf-while-condition-holds: the condition is true in the second region.
// CHECK-LABEL: func.func @scf_while_condition_holds
// CHECK-NEXT: %[[T:.*]] = arith.constant true
// CHECK: "t.b"(%[[T]])
// CHECK: return %{{[0-9]+}} : i1
func.func @scf_while_condition_holds(%n: i32) -> i1 {
  %0 = scf.while (%a = %n) : (i32) -> i1 {
    %c = "t.c"(%a) : (i32) -> i1
    scf.condition(%c) %c : i1
  } do {
^bb0(%h: i1):
    %r = "t.b"(%h) : (i1) -> i32
    scf.yield %r : i32
  }
  return %0 : i1
}

// -----

// scf-while-comparison-holds: a comparison that is the condition holds in the second region, its opposite does not.
// CHECK-LABEL: func.func @scf_while_comparison_holds
// CHECK-DAG: %[[T:.*]] = arith.constant true
// CHECK-DAG: %[[F:.*]] = arith.constant false
// CHECK: "t.b"(%{{.*}}, %[[T]], %[[F]])
func.func @scf_while_comparison_holds(%n: i32, %k: i32) -> i32 {
  %0 = scf.while (%a = %n) : (i32) -> i32 {
    %c = arith.cmpi slt, %a, %k : i32
    scf.condition(%c) %a : i32
  } do {
^bb0(%x: i32):
    %d = arith.cmpi slt, %x, %k : i32
    %e = arith.cmpi sge, %x, %k : i32
    %r = "t.b"(%x, %d, %e) : (i32, i1, i1) -> i32
    scf.yield %r : i32
  }
  return %0 : i32
}

// -----

// The bound of the comparison is computed inside the loop and may change.
// CHECK-LABEL: func.func @scf_while_comparison_holds_declines
// CHECK-COUNT-2: arith.cmpi slt
func.func @scf_while_comparison_holds_declines(%n: i32) -> i32 {
  %0 = scf.while (%a = %n) : (i32) -> i32 {
    %k = "t.k"() : () -> i32
    %c = arith.cmpi slt, %a, %k : i32
    scf.condition(%c) %a : i32
  } do {
^bb0(%x: i32):
    %k = "t.k"() : () -> i32
    %d = arith.cmpi slt, %x, %k : i32
    %r = "t.b"(%x, %d) : (i32, i1) -> i32
    scf.yield %r : i32
  }
  return %0 : i32
}

// -----

// Comparisons with another bound, with sides exchanged, or of another value are not known.
// CHECK-LABEL: func.func @scf_while_other_comparisons
// CHECK: do {
// CHECK-DAG: %[[D:.*]] = arith.cmpi slt, %{{.*}}, %arg2
// CHECK-DAG: %[[E:.*]] = arith.cmpi sge, %{{.*}}, %arg2
// CHECK-DAG: %[[F:.*]] = arith.cmpi sge, %arg1, %{{.*}}
// CHECK-DAG: %[[G:.*]] = arith.cmpi sle, %{{.*}}, %arg1
// CHECK: "t.b"(%{{.*}}, %[[D]], %[[E]], %[[F]], %[[G]])
func.func @scf_while_other_comparisons(%n: i32, %k: i32, %m: i32) -> i32 {
  %0 = scf.while (%a = %n) : (i32) -> i32 {
    %c = arith.cmpi slt, %a, %k : i32
    scf.condition(%c) %a : i32
  } do {
^bb0(%x: i32):
    %d = arith.cmpi slt, %x, %m : i32
    %e = arith.cmpi sge, %x, %m : i32
    %f = arith.cmpi sge, %k, %x : i32
    %g = arith.cmpi sle, %x, %k : i32
    %r = "t.b"(%x, %d, %e, %f, %g) : (i32, i1, i1, i1, i1) -> i32
    scf.yield %r : i32
  }
  return %0 : i32
}

// -----

// scf-while-unused-results: unused values are not passed on.
// CHECK-LABEL: func.func @scf_while_unused_results
// CHECK-NEXT: scf.while (%[[A:.*]] = %arg0) : (i32) -> i32 {
// CHECK: scf.condition(%{{.*}}) %[[A]] : i32
func.func @scf_while_unused_results(%n: i32) -> i32 {
  %0:2 = scf.while (%a = %n) : (i32) -> (i32, i32) {
    %c = "t.c"(%a) : (i32) -> i1
    %d = "t.d"() : () -> i32
    scf.condition(%c) %a, %d : i32, i32
  } do {
^bb0(%x: i32, %y: i32):
    %r = "t.b"(%x) : (i32) -> i32
    scf.yield %r : i32
  }
  return %0#0 : i32
}

// -----

// The second region uses it.
// CHECK-LABEL: func.func @scf_while_unused_results_declines
// CHECK-NEXT: %{{.*}}:2 = scf.while
func.func @scf_while_unused_results_declines(%n: i32) -> i32 {
  %0:2 = scf.while (%a = %n) : (i32) -> (i32, i32) {
    %c = "t.c"(%a) : (i32) -> i1
    %d = "t.d"() : () -> i32
    scf.condition(%c) %a, %d : i32, i32
  } do {
^bb0(%x: i32, %y: i32):
    %r = "t.b"(%y) : (i32) -> i32
    scf.yield %r : i32
  }
  return %0#0 : i32
}

// -----

// scf-while-same-results: each value is forwarded once.
// CHECK-LABEL: func.func @scf_while_same_results
// CHECK-NEXT: %[[R:.*]] = scf.while (%{{.*}} = %arg0) : (i32) -> i32 {
// CHECK: "t.b"(%[[X:.*]], %[[X]])
// CHECK: return %[[R]], %[[R]]
func.func @scf_while_same_results(%n: i32) -> (i32, i32) {
  %0:2 = scf.while (%a = %n) : (i32) -> (i32, i32) {
    %c = "t.c"(%a) : (i32) -> i1
    scf.condition(%c) %a, %a : i32, i32
  } do {
^bb0(%x: i32, %y: i32):
    %r = "t.b"(%x, %y) : (i32, i32) -> i32
    scf.yield %r : i32
  }
  return %0#0, %0#1 : i32, i32
}

// -----

// scf-while-results-from-outside: values defined outside need not be forwarded.
// CHECK-LABEL: func.func @scf_while_results_from_outside
// CHECK-NEXT: %[[R:.*]] = scf.while (%{{.*}} = %arg0) : (i32) -> i32 {
// CHECK: "t.b"(%{{.*}}, %arg1)
// CHECK: return %[[R]], %arg1
func.func @scf_while_results_from_outside(%n: i32, %m: i32) -> (i32, i32) {
  %0:2 = scf.while (%a = %n) : (i32) -> (i32, i32) {
    %c = "t.c"(%a) : (i32) -> i1
    scf.condition(%c) %a, %m : i32, i32
  } do {
^bb0(%x: i32, %y: i32):
    %r = "t.b"(%x, %y) : (i32, i32) -> i32
    scf.yield %r : i32
  }
  return %0#0, %0#1 : i32, i32
}

// -----

// scf-while-unused-arguments: an unused argument is removed.
// CHECK-LABEL: func.func @scf_while_unused_arguments
// CHECK-NEXT: scf.while (%{{.*}} = %arg0) : (i32) -> i32 {
// CHECK: scf.yield %{{.*}} : i32
func.func @scf_while_unused_arguments(%n: i32, %m: i32) -> i32 {
  %0 = scf.while (%a = %n, %b = %m) : (i32, i32) -> i32 {
    %c = "t.c"(%a) : (i32) -> i1
    scf.condition(%c) %a : i32
  } do {
^bb0(%x: i32):
    %r = "t.b"(%x) : (i32) -> i32
    scf.yield %r, %r : i32, i32
  }
  return %0 : i32
}

// -----

// scf-while-invariant-arguments: an argument that is always its initial value or itself is invariant.
// CHECK-LABEL: func.func @scf_while_invariant_arguments
// CHECK-NEXT: scf.while (%[[A:.*]] = %arg0) : (i32) -> i32 {
// CHECK-NEXT: "t.c"(%[[A]], %arg1, %arg1)
func.func @scf_while_invariant_arguments(%n: i32, %m: i32) -> i32 {
  %0:2 = scf.while (%a = %n, %b = %m, %d = %m) : (i32, i32, i32) -> (i32, i32) {
    %c = "t.c"(%a, %b, %d) : (i32, i32, i32) -> i1
    scf.condition(%c) %a, %d : i32, i32
  } do {
^bb0(%x: i32, %y: i32):
    %r = "t.b"(%x) : (i32) -> i32
    scf.yield %r, %m, %y : i32, i32, i32
  }
  return %0#0 : i32
}

// -----

// Arguments that change places change.
// CHECK-LABEL: func.func @scf_while_invariant_arguments_declines
// CHECK-NEXT: %{{.*}}:2 = scf.while
func.func @scf_while_invariant_arguments_declines(%n: i32, %m: i32) -> i32 {
  %0:2 = scf.while (%a = %n, %b = %m) : (i32, i32) -> (i32, i32) {
    %c = "t.c"(%a, %b) : (i32, i32) -> i1
    scf.condition(%c) %a, %b : i32, i32
  } do {
^bb0(%x: i32, %y: i32):
    "t.b"() : () -> ()
    scf.yield %y, %x : i32, i32
  }
  return %0#0 : i32
}

// -----

// scf-while-align: arguments that are forwarded in a different order are forwarded in their own.
// CHECK-LABEL: func.func @scf_while_align
// CHECK-NEXT: %[[R:.*]]:2 = scf.while (%[[A:.*]] = %arg0, %[[B:.*]] = %arg1) : (i32, i64) -> (i32, i64) {
// CHECK: scf.condition(%{{.*}}) %[[A]], %[[B]] : i32, i64
// CHECK: ^bb0(%[[X:.*]]: i32, %[[Y:.*]]: i64):
// CHECK-NEXT: "t.b"(%[[Y]], %[[X]])
// CHECK: return %[[R]]#1, %[[R]]#0
func.func @scf_while_align(%n: i32, %m: i64) -> (i64, i32) {
  %0:2 = scf.while (%a = %n, %b = %m) : (i32, i64) -> (i64, i32) {
    %c = "t.c"(%a, %b) : (i32, i64) -> i1
    scf.condition(%c) %b, %a : i64, i32
  } do {
^bb0(%x: i64, %y: i32):
    %r:2 = "t.b"(%x, %y) : (i64, i32) -> (i32, i64)
    scf.yield %r#0, %r#1 : i32, i64
  }
  return %0#0, %0#1 : i64, i32
}

// -----

// A different value is forwarded.
// CHECK-LABEL: func.func @scf_while_align_declines
// CHECK: scf.condition(%{{.*}}) %{{.*}} : i64
func.func @scf_while_align_declines(%n: i32) -> i64 {
  %0 = scf.while (%a = %n) : (i32) -> i64 {
    %c = "t.c"(%a) : (i32) -> i1
    %w = arith.extsi %a : i32 to i64
    scf.condition(%c) %w : i64
  } do {
^bb0(%x: i64):
    %r = "t.b"(%x) : (i64) -> i32
    scf.yield %r : i32
  }
  return %0 : i64
}

// -----

// scf-parallel-few-trips: a dimension with one iteration is removed, a nest without iterations is
// removed, and a nest with one iteration is inlined with one reduction.
// CHECK-LABEL: func.func @scf_parallel_few_trips
// CHECK-NEXT: %[[Z:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[O:.*]] = arith.constant 1 : index
// CHECK-NEXT: scf.parallel (%[[I:.*]]) = (%[[Z]]) to (%arg0) step (%[[O]]) {
// CHECK-NEXT: "t.a"(%[[I]], %[[Z]])
// CHECK-NEXT: scf.reduce
// CHECK-NEXT: }
// CHECK-NEXT: %[[V:.*]] = "t.c"(%[[Z]])
// CHECK-NEXT: %[[R:.*]] = arith.subi %arg1, %[[V]] : i32
// CHECK-NEXT: return %[[R]]
func.func @scf_parallel_few_trips(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c1) step (%c1, %c1) {
    "t.a"(%i, %j) : (index, index) -> ()
    scf.reduce
  }
  scf.parallel (%i, %j) = (%c0, %c1) to (%n, %c0) step (%c1, %c1) {
    "t.b"(%i, %j) : (index, index) -> ()
    scf.reduce
  }
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%x) -> i32 {
    %v = "t.c"(%i) : (index) -> i32
    scf.reduce(%v : i32) {
    ^bb0(%l: i32, %q: i32):
      %s = arith.subi %l, %q : i32
      scf.reduce.return %s : i32
    }
  }
  return %r : i32
}

// -----

// scf-parallel-merge: two dimensions of one nest.
// CHECK-LABEL: func.func @scf_parallel_merge
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) = (
// CHECK-NEXT: "t.a"(%[[I]], %[[J]])
func.func @scf_parallel_merge(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      "t.a"(%i, %j) : (index, index) -> ()
      scf.reduce
    }
    scf.reduce
  }
  return
}

// -----

// The inner bound depends on the outer variable.
// CHECK-LABEL: func.func @scf_parallel_merge_declines
// CHECK-COUNT-2: scf.parallel
func.func @scf_parallel_merge_declines(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%i) step (%c1) {
      "t.a"(%i, %j) : (index, index) -> ()
      scf.reduce
    }
    scf.reduce
  }
  return
}

// -----

// scf-forall-constant: constants become part of the loop.
// CHECK-LABEL: func.func @scf_forall_constant
// CHECK-NEXT: scf.forall (%{{.*}}, %{{.*}}) = (2, 0) to (8, %arg0) step (2, 1) {
func.func @scf_forall_constant(%n: index) {
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.forall (%i, %j) = (%c2, 0) to (%c8, %n) step (%c2, 1) {
    "t.a"(%i, %j) : (index, index) -> ()
  }
  return
}

// -----

// scf-forall-few-trips: a dimension that runs once is its lower bound.
// CHECK-LABEL: func.func @scf_forall_few_trips
// CHECK-NEXT: %[[C:.*]] = arith.constant 3 : index
// CHECK-NEXT: scf.forall (%[[I:.*]]) in (%arg0) {
// CHECK-NEXT: "t.a"(%[[I]], %[[C]])
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @scf_forall_few_trips(%n: index) {
  scf.forall (%i, %j) = (0, 3) to (%n, 4) step (1, 1) {
    "t.a"(%i, %j) : (index, index) -> ()
  }
  scf.forall (%i) in (0) {
    "t.b"(%i) : (index) -> ()
  }
  return
}

// -----

// Tensors are written: the writes need the loop.
// CHECK-LABEL: func.func @scf_forall_few_trips_declines
// CHECK: scf.forall
func.func @scf_forall_few_trips_declines(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<4xf32>) {
    "t.a"(%i, %o) : (index, tensor<4xf32>) -> ()
  }
  return %0 : tensor<4xf32>
}

// -----

// func-call-indirect-of-constant: a known function is called by its name.
// CHECK-LABEL: func.func @func_call_indirect_of_constant
// CHECK-NEXT: call @func_call_indirect_of_constant(%arg0)
func.func @func_call_indirect_of_constant(%x: i32) -> i32 {
  %f = func.constant @func_call_indirect_of_constant : (i32) -> i32
  %0 = func.call_indirect %f(%x) : (i32) -> i32
  return %0 : i32
}

// -----

// The function is an argument.
// CHECK-LABEL: func.func @func_call_indirect_of_constant_declines
// CHECK-NEXT: call_indirect %arg0
func.func @func_call_indirect_of_constant_declines(%f: (i32) -> i32, %x: i32) -> i32 {
  %0 = func.call_indirect %f(%x) : (i32) -> i32
  return %0 : i32
}

// -----

// scf-for-carried: values that only change places, and start as the same value, never change.
// CHECK-LABEL: func.func @scf_for_rotating
// CHECK-NEXT: scf.for %{{.*}} = %arg0 to %arg1 step %arg0 {
// CHECK-NEXT: "t.op"(%arg2, %arg2, %arg3, %arg3, %arg3)
// CHECK: return %arg2, %arg3
func.func @scf_for_rotating(%l: index, %u: index, %a: i32, %b: i32) -> (i32, i32) {
  %r:5 = scf.for %i = %l to %u step %l iter_args(%p = %a, %q = %b, %s = %b, %t = %a, %v = %b)
      -> (i32, i32, i32, i32, i32) {
    "t.op"(%p, %t, %q, %s, %v) : (i32, i32, i32, i32, i32) -> ()
    scf.yield %t, %v, %q, %p, %s : i32, i32, i32, i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// -----

// They start as different values.
// CHECK-LABEL: func.func @scf_for_rotating_declines
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %arg2, %[[Q:.*]] = %arg3)
// CHECK: scf.yield %[[Q]], %[[P]]
func.func @scf_for_rotating_declines(%l: index, %u: index, %a: i32, %b: i32) -> (i32, i32) {
  %r:2 = scf.for %i = %l to %u step %l iter_args(%p = %a, %q = %b) -> (i32, i32) {
    scf.yield %q, %p : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// -----

// The bounds of an unsigned loop are unsigned: from 5 to 4294967295 it runs, from there to 5 it does not.
// CHECK-LABEL: func.func @unsigned_bounds
// CHECK: scf.for unsigned
// CHECK-NEXT: "t.a"
// CHECK-NOT: "t.b"
// CHECK: return
func.func @unsigned_bounds() {
  %five = arith.constant 5 : i32
  %minus = arith.constant -1 : i32
  %one = arith.constant 1 : i32
  scf.for unsigned %i = %five to %minus step %one : i32 {
    "t.a"() : () -> ()
  }
  scf.for unsigned %i = %minus to %five step %one : i32 {
    "t.b"() : () -> ()
  }
  return
}

// -----

// Those of a signed loop are signed.
// CHECK-LABEL: func.func @signed_bounds
// CHECK-NOT: "t.a"
// CHECK: scf.for
// CHECK-NEXT: "t.b"
// CHECK: return
func.func @signed_bounds() {
  %five = arith.constant 5 : i32
  %minus = arith.constant -1 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %five to %minus step %one : i32 {
    "t.a"() : () -> ()
  }
  scf.for %i = %minus to %five step %one : i32 {
    "t.b"() : () -> ()
  }
  return
}

// -----

// A step of the distance of the bounds is taken once, a shorter one more often. A distance of more than
// half of the integers is one too: 127 fits into it.
// CHECK-LABEL: func.func @steps
// CHECK: %[[MIN:.*]] = arith.constant -128 : i8
// CHECK: scf.for
// CHECK-NEXT: "t.twice"
// CHECK: scf.for
// CHECK-NEXT: "t.twice"
// CHECK-NOT: "t.never"
// CHECK: "t.once"(%[[MIN]])
// CHECK: scf.for
// CHECK-NEXT: "t.often"
// CHECK: return
func.func @steps() {
  %min = arith.constant -128 : i8
  %max = arith.constant 127 : i8
  %zero = arith.constant 0 : i8
  %four = arith.constant 4 : i8
  %three = arith.constant 3 : i8
  scf.for %i = %min to %zero step %max : i8 {
    "t.twice"(%i) : (i8) -> ()
  }
  scf.for %i = %min to %four step %max : i8 {
    "t.twice"(%i) : (i8) -> ()
  }
  scf.for unsigned %i = %min to %four step %max : i8 {
    "t.never"(%i) : (i8) -> ()
  }
  %minus = arith.constant -124 : i8
  scf.for %i = %min to %minus step %four : i8 {
    "t.once"(%i) : (i8) -> ()
  }
  scf.for %i = %min to %minus step %three : i8 {
    "t.often"(%i) : (i8) -> ()
  }
  return
}
