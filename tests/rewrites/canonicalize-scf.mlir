// RUN: orison-opt --allow-unregistered-dialect --canonicalize --split-input-file %s | FileCheck %s

// scf-if-constant: what runs is known.
// CHECK-LABEL: func.func @scf_if_constant
// CHECK-NEXT: "t.a"()
// CHECK-NEXT: return %arg0
func.func @scf_if_constant(%x: i32, %y: i32) -> i32 {
  %t = arith.constant true
  %0 = scf.if %t -> i32 {
    "t.a"() : () -> ()
    scf.yield %x : i32
  } else {
    scf.yield %y : i32
  }
  return %0 : i32
}

// -----

// The condition is not constant.
// CHECK-LABEL: func.func @scf_if_constant_declines
// CHECK-NEXT: scf.if %arg0
func.func @scf_if_constant_declines(%c: i1) {
  scf.if %c {
    "t.a"() : () -> ()
  }
  return
}

// -----

// scf-if-empty-else: doing nothing needs no region.
// CHECK-LABEL: func.func @scf_if_empty_else
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT: "t.a"()
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @scf_if_empty_else(%c: i1) {
  scf.if %c {
    "t.a"() : () -> ()
  } else {
    scf.yield
  }
  return
}

// -----

// An empty first region stays: it has to be there.
// CHECK-LABEL: func.func @scf_if_empty_else_declines
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT: } else {
// CHECK-NEXT: "t.a"()
func.func @scf_if_empty_else_declines(%c: i1) {
  scf.if %c {
    scf.yield
  } else {
    "t.a"() : () -> ()
  }
  return
}

// -----

// scf-if-not: the regions change places.
// CHECK-LABEL: func.func @scf_if_not
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT: "t.b"()
// CHECK-NEXT: } else {
// CHECK-NEXT: "t.a"()
func.func @scf_if_not(%c: i1) {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  scf.if %n {
    "t.a"() : () -> ()
  } else {
    "t.b"() : () -> ()
  }
  return
}

// -----

// Without a second region there is nothing to change places with.
// CHECK-LABEL: func.func @scf_if_not_declines
// CHECK-NEXT: arith.constant
// CHECK-NEXT: arith.xori
// CHECK-NEXT: scf.if
func.func @scf_if_not_declines(%c: i1) {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  scf.if %n {
    "t.a"() : () -> ()
  }
  return
}

// -----

// scf-if-unused-results: unused values are not yielded.
// CHECK-LABEL: func.func @scf_if_unused_results
// CHECK-NEXT: %[[R:.*]] = scf.if %arg0 -> (i32) {
// CHECK: %[[B:.*]] = "t.b"
// CHECK-NEXT: scf.yield %[[B]] : i32
// CHECK: return %[[R]]
func.func @scf_if_unused_results(%c: i1) -> i32 {
  %0:2 = scf.if %c -> (i32, i32) {
    %a = "t.a"() : () -> i32
    %b = "t.b"() : () -> i32
    scf.yield %a, %b : i32, i32
  } else {
    %a = "t.a"() : () -> i32
    %b = "t.b"() : () -> i32
    scf.yield %a, %b : i32, i32
  }
  return %0#1 : i32
}

// -----

// scf-if-to-select: values from outside are chosen; the rest stays.
// CHECK-LABEL: func.func @scf_if_to_select
// CHECK-NEXT: %[[S:.*]] = arith.select %arg0, %arg1, %arg2 : i32
// CHECK-NEXT: %[[I:.*]] = scf.if %arg0 -> (i32) {
// CHECK: scf.yield %{{.*}} : i32
// CHECK: return %[[S]], %[[I]]
func.func @scf_if_to_select(%c: i1, %x: i32, %y: i32) -> (i32, i32) {
  %0:2 = scf.if %c -> (i32, i32) {
    %a = "t.a"() : () -> i32
    scf.yield %x, %a : i32, i32
  } else {
    scf.yield %y, %y : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}

// -----

// Every result is computed in a region.
// CHECK-LABEL: func.func @scf_if_to_select_declines
// CHECK-NEXT: scf.if
func.func @scf_if_to_select_declines(%c: i1, %x: i32) -> i32 {
  %0 = scf.if %c -> i32 {
    %a = arith.addi %x, %x : i32
    scf.yield %a : i32
  } else {
    scf.yield %x : i32
  }
  return %0 : i32
}

// -----

// scf-if-yield-condition: true and false are the condition, false and true its negation.
// CHECK-LABEL: func.func @scf_if_yield_condition
// CHECK-NEXT: %[[T:.*]] = arith.constant true
// CHECK-NEXT: %[[N:.*]] = arith.xori %arg0, %[[T]] : i1
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT: "t.a"()
// CHECK-NEXT: }
// CHECK-NEXT: return %arg0, %[[N]]
func.func @scf_if_yield_condition(%c: i1) -> (i1, i1) {
  %t = arith.constant true
  %f = arith.constant false
  %0:2 = scf.if %c -> (i1, i1) {
    "t.a"() : () -> ()
    scf.yield %t, %f : i1, i1
  } else {
    scf.yield %f, %t : i1, i1
  }
  return %0#0, %0#1 : i1, i1
}

// -----

// scf-if-known-condition: inside, also deeper, the condition is known.
// CHECK-LABEL: func.func @scf_if_known_condition
// CHECK-DAG: %[[T:.*]] = arith.constant true
// CHECK-DAG: %[[F:.*]] = arith.constant false
// CHECK: "t.a"(%[[T]])
// CHECK: "t.n"(%[[T]])
// CHECK: "t.b"(%[[F]])
func.func @scf_if_known_condition(%c: i1, %d: i1) {
  scf.if %c {
    "t.a"(%c) : (i1) -> ()
    scf.if %d {
      "t.n"(%c) : (i1) -> ()
    }
  } else {
    "t.b"(%c) : (i1) -> ()
  }
  return
}

// -----

// After the conditional it is not.
// CHECK-LABEL: func.func @scf_if_known_condition_declines
// CHECK: "t.b"(%arg0)
func.func @scf_if_known_condition_declines(%c: i1) {
  scf.if %c {
    "t.a"() : () -> ()
  }
  "t.b"(%c) : (i1) -> ()
  return
}

// -----

// scf-if-combine: two in a row on one condition, or its negation, are one; what the first one yields is known in the second one.
// CHECK-LABEL: func.func @scf_if_combine
// CHECK-NEXT: %[[R:.*]] = scf.if %arg0 -> (i32) {
// CHECK-NEXT: %[[A:.*]] = "t.a"
// CHECK-NEXT: "t.c"(%[[A]])
// CHECK-NEXT: scf.yield %[[A]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[B:.*]] = "t.b"
// CHECK-NEXT: scf.yield %[[B]]
func.func @scf_if_combine(%c: i1) -> i32 {
  %t = arith.constant true
  %0 = scf.if %c -> i32 {
    %a = "t.a"() : () -> i32
    scf.yield %a : i32
  } else {
    %a = "t.b"() : () -> i32
    scf.yield %a : i32
  }
  scf.if %c {
    "t.c"(%0) : (i32) -> ()
  }
  return %0 : i32
}

// -----

// The second condition is the negation of the first: its first region is executed where the first condition does not hold.
// CHECK-LABEL: func.func @scf_if_combine_negated
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT: "t.a"()
// CHECK-NEXT: } else {
// CHECK-NEXT: "t.b"()
// CHECK-NEXT: "t.c"()
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @scf_if_combine_negated(%c: i1) {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  scf.if %c {
    "t.a"() : () -> ()
  } else {
    "t.b"() : () -> ()
  }
  scf.if %n {
    "t.c"() : () -> ()
  }
  return
}

// -----

// Another operation is between them.
// CHECK-LABEL: func.func @scf_if_combine_declines
// CHECK-COUNT-2: scf.if
func.func @scf_if_combine_declines(%c: i1) {
  scf.if %c {
    "t.a"() : () -> ()
  }
  "t.m"() : () -> ()
  scf.if %c {
    "t.b"() : () -> ()
  }
  return
}

// -----

// scf-if-nested: both conditions have to hold.
// CHECK-LABEL: func.func @scf_if_nested
// CHECK-NEXT: %[[C:.*]] = arith.andi %arg0, %arg1 : i1
// CHECK-NEXT: scf.if %[[C]] -> (i32) {
// CHECK-NEXT: "t.a"
func.func @scf_if_nested(%c: i1, %d: i1, %x: i32) -> i32 {
  %0 = scf.if %c -> i32 {
    %1 = scf.if %d -> i32 {
      %a = "t.a"() : () -> i32
      scf.yield %a : i32
    } else {
      scf.yield %x : i32
    }
    scf.yield %1 : i32
  } else {
    scf.yield %x : i32
  }
  return %0 : i32
}

// -----

// The inner condition may be poison, and is not looked at where the outer one does not hold: it must not be then.
// CHECK-LABEL: func.func @scf_if_nested_declines
// CHECK-NEXT: %[[F:.*]] = arith.constant false
// CHECK-NEXT: arith.shli
// CHECK-NEXT: %[[D:.*]] = arith.cmpi
// CHECK-NEXT: %[[C:.*]] = arith.select %arg0, %[[D]], %[[F]] : i1
// CHECK-NEXT: scf.if %[[C]] {
func.func @scf_if_nested_declines(%c: i1, %x: i32, %y: i32) {
  %s = arith.shli %x, %y : i32
  %d = arith.cmpi slt, %s, %x : i32
  scf.if %c {
    scf.if %d {
      "t.a"() : () -> ()
    }
  }
  return
}

// -----

// scf-for-few-trips: once from 2 to 3, never from 3 to 2.
// CHECK-LABEL: func.func @scf_for_few_trips
// CHECK-NEXT: %[[C:.*]] = arith.constant 2 : index
// CHECK-NEXT: %[[R:.*]] = "t.a"(%arg0, %[[C]])
// CHECK-NEXT: return %[[R]], %arg0, %arg0
func.func @scf_for_few_trips(%x: i32, %n: index) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %i = %c2 to %c3 step %c1 iter_args(%v = %x) -> i32 {
    %y = "t.a"(%v, %i) : (i32, index) -> i32
    scf.yield %y : i32
  }
  %1 = scf.for %i = %c3 to %c2 step %c1 iter_args(%v = %x) -> i32 {
    %y = "t.a"(%v, %i) : (i32, index) -> i32
    scf.yield %y : i32
  }
  %2 = scf.for %i = %n to %n step %c1 iter_args(%v = %x) -> i32 {
    %y = "t.a"(%v, %i) : (i32, index) -> i32
    scf.yield %y : i32
  }
  return %0, %1, %2 : i32, i32, i32
}

// -----

// From -128 to 127 in steps of 127 there are three iterations, though the distance overflows; unsigned, from 5 to 255 in steps of 254, there is one.
// CHECK-LABEL: func.func @scf_for_few_trips_declines
// CHECK: scf.for
// CHECK-NEXT: "t.a"
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: "t.b"
// CHECK-NEXT: return
func.func @scf_for_few_trips_declines(%x: i32) -> i32 {
  %a = arith.constant -128 : i8
  %b = arith.constant 127 : i8
  %f = arith.constant 5 : i8
  %m = arith.constant -1 : i8
  %s = arith.constant -2 : i8
  %0 = scf.for %i = %a to %b step %b iter_args(%v = %x) -> i32 : i8 {
    %y = "t.a"(%v) : (i32) -> i32
    scf.yield %y : i32
  }
  %1 = scf.for unsigned %i = %f to %m step %s iter_args(%v = %0) -> i32 : i8 {
    %y = "t.b"(%v) : (i32) -> i32
    scf.yield %y : i32
  }
  return %1 : i32
}

// -----

// scf-for-nothing-done: the loop runs, so it yields the value from outside.
// CHECK-LABEL: func.func @scf_for_nothing_done
// CHECK-NEXT: return %arg1
func.func @scf_for_nothing_done(%x: i32, %y: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %x) -> i32 {
    scf.yield %y : i32
  }
  return %0 : i32
}

// -----

// It may not run.
// CHECK-LABEL: func.func @scf_for_nothing_done_declines
// CHECK: scf.for
func.func @scf_for_nothing_done_declines(%x: i32, %y: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> i32 {
    scf.yield %y : i32
  }
  return %0 : i32
}

// -----

// scf-for-carried: unchanged, initial again, carried twice, and not used.
// CHECK-LABEL: func.func @scf_for_carried
// CHECK: %[[R:.*]] = scf.for %{{.*}} iter_args(%[[C:.*]] = %arg0) -> (i32) {
// CHECK-NEXT: %[[Q:.*]] = "t.a"(%arg0, %arg1, %[[C]])
// CHECK-NEXT: scf.yield %[[Q]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: return %arg0, %arg1, %[[R]], %[[R]]
func.func @scf_for_carried(%x: i32, %y: i32, %n: index) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0:5 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %c = %x, %d = %x, %e = %y) -> (i32, i32, i32, i32, i32) {
    %q = "t.a"(%a, %b, %c) : (i32, i32, i32) -> i32
    scf.yield %a, %y, %q, %q, %q : i32, i32, i32, i32, i32
  }
  return %0#0, %0#1, %0#2, %0#3 : i32, i32, i32, i32
}

// -----

// Two values that change places change.
// CHECK-LABEL: func.func @scf_for_carried_declines
// CHECK: %{{.*}}:2 = scf.for
func.func @scf_for_carried_declines(%x: i32, %y: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (i32, i32) {
    "t.a"() : () -> ()
    scf.yield %b, %a : i32, i32
  }
  return %0#0 : i32
}

// -----

// scf-execute-region-one-block: running once is running.
// CHECK-LABEL: func.func @scf_execute_region_one_block
// CHECK-NEXT: %[[A:.*]] = "t.a"
// CHECK-NEXT: return %[[A]]
func.func @scf_execute_region_one_block() -> i32 {
  %0 = scf.execute_region -> i32 {
    %a = "t.a"() : () -> i32
    scf.yield %a : i32
  }
  return %0 : i32
}

// -----

// It is to stay.
// CHECK-LABEL: func.func @scf_execute_region_one_block_declines
// CHECK-NEXT: scf.execute_region
func.func @scf_execute_region_one_block_declines() -> i32 {
  %0 = scf.execute_region -> i32 no_inline {
    %a = "t.a"() : () -> i32
    scf.yield %a : i32
  }
  return %0 : i32
}

// -----

// scf-execute-region-blocks: its blocks become blocks of the function.
// CHECK-LABEL: func.func @scf_execute_region_blocks
// CHECK-NEXT: cf.cond_br %arg0, ^bb1, ^bb2
// CHECK: cf.br ^bb3(%{{.*}} : i32)
// CHECK: cf.br ^bb3(%{{.*}} : i32)
// CHECK-NEXT: ^bb3(%[[R:.*]]: i32):
// CHECK-NEXT: return %[[R]]
func.func @scf_execute_region_blocks(%c: i1) -> i32 {
  %0 = scf.execute_region -> i32 {
    cf.cond_br %c, ^a, ^b
^a:
    %a = "t.a"() : () -> i32
    scf.yield %a : i32
^b:
    %b = "t.b"() : () -> i32
    scf.yield %b : i32
  }
  return %0 : i32
}

// -----

// A loop has room for one block only.
// CHECK-LABEL: func.func @scf_execute_region_blocks_declines
// CHECK: scf.execute_region
func.func @scf_execute_region_blocks_declines(%c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = scf.execute_region -> i32 {
      cf.cond_br %c, ^a, ^b
    ^a:
      %a = "t.a"() : () -> i32
      scf.yield %a : i32
    ^b:
      %b = "t.b"() : () -> i32
      scf.yield %b : i32
    }
    "t.use"(%0) : (i32) -> ()
  }
  return
}

// -----

// scf-index-switch-constant: the case is known; without cases the default is taken.
// CHECK-LABEL: func.func @scf_index_switch_constant
// CHECK-NEXT: %[[A:.*]] = "t.a"
// CHECK-NEXT: %[[B:.*]] = "t.b"
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @scf_index_switch_constant(%x: i32, %i: index) -> (i32, i32) {
  %c3 = arith.constant 3 : index
  %0 = scf.index_switch %c3 -> i32
  case 3 {
    %a = "t.a"() : () -> i32
    scf.yield %a : i32
  }
  default {
    scf.yield %x : i32
  }
  %1 = scf.index_switch %i -> i32
  default {
    %b = "t.b"() : () -> i32
    scf.yield %b : i32
  }
  return %0, %1 : i32, i32
}

// -----

// The flag is not constant.
// CHECK-LABEL: func.func @scf_index_switch_constant_declines
// CHECK-NEXT: scf.index_switch
func.func @scf_index_switch_constant_declines(%x: i32, %i: index) -> i32 {
  %0 = scf.index_switch %i -> i32
  case 3 {
    scf.yield %x : i32
  }
  default {
    %b = "t.b"() : () -> i32
    scf.yield %b : i32
  }
  return %0 : i32
}

// -----

// scf-index-switch-unused-results: unused values are not yielded.
// CHECK-LABEL: func.func @scf_index_switch_unused_results
// CHECK-NEXT: scf.index_switch %arg1 -> i32
// CHECK: scf.yield %arg0 : i32
func.func @scf_index_switch_unused_results(%x: i32, %i: index) -> i32 {
  %0:2 = scf.index_switch %i -> i32, i32
  case 3 {
    scf.yield %x, %x : i32, i32
  }
  default {
    %b = "t.b"() : () -> i32
    scf.yield %b, %x : i32, i32
  }
  return %0#0 : i32
}
