// Loops and conditionals are canonicalized as mlir-opt does it.
// REQUIRES: mlir-opt
// RUN: orison-opt --allow-unregistered-dialect --canonicalize %s | mlir-opt --allow-unregistered-dialect --mlir-print-op-generic -o %t.ours
// RUN: mlir-opt --allow-unregistered-dialect --canonicalize --mlir-print-op-generic %s -o %t.theirs
// RUN: diff %t.theirs %t.ours

func.func @if_const(%a: i32, %b: i32) -> i32 {
  %t = arith.constant true
  %0 = scf.if %t -> i32 {
    "t.a"() : () -> ()
    scf.yield %a : i32
  } else {
    scf.yield %b : i32
  }
  return %0 : i32
}

func.func @if_const_false(%a: i32, %b: i32) {
  %t = arith.constant false
  scf.if %t {
    "t.a"() : () -> ()
  }
  return
}

func.func @if_empty_else(%c: i1) {
  scf.if %c {
    "t.a"() : () -> ()
  } else {
  }
  return
}

func.func @if_empty_then(%c: i1) {
  scf.if %c {
  } else {
    "t.a"() : () -> ()
  }
  return
}

func.func @if_select(%c: i1, %a: i32, %b: i32) -> (i32, i32) {
  %0:2 = scf.if %c -> (i32, i32) {
    scf.yield %a, %b : i32, i32
  } else {
    scf.yield %b, %b : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}

func.func @if_select_some(%c: i1, %a: i32, %b: i32) -> (i32, i32, i32) {
  %0:3 = scf.if %c -> (i32, i32, i32) {
    %x = "t.a"() : () -> i32
    scf.yield %a, %b, %x : i32, i32, i32
  } else {
    scf.yield %b, %b, %a : i32, i32, i32
  }
  return %0#0, %0#1, %0#2 : i32, i32, i32
}

func.func @if_unused(%c: i1, %a: i32, %b: i32) -> i32 {
  %0:2 = scf.if %c -> (i32, i32) {
    %x = "t.a"() : () -> i32
    %y = "t.b"() : () -> i32
    scf.yield %x, %y : i32, i32
  } else {
    %x = "t.c"() : () -> i32
    scf.yield %x, %b : i32, i32
  }
  return %0#1 : i32
}

func.func @if_cond_value(%c: i1) -> (i1, i1) {
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

func.func @if_nested(%c: i1, %d: i1) {
  scf.if %c {
    scf.if %d {
      "t.a"() : () -> ()
    }
  }
  return
}

func.func @if_nested_res(%c: i1, %d: i1, %a: i32, %b: i32) -> i32 {
  %0 = scf.if %c -> i32 {
    %1 = scf.if %d -> i32 {
      %x = "t.a"() : () -> i32
      scf.yield %x : i32
    } else {
      scf.yield %b : i32
    }
    scf.yield %1 : i32
  } else {
    scf.yield %b : i32
  }
  return %0 : i32
}

func.func @if_combine(%c: i1) -> (i32, i32) {
  %0 = scf.if %c -> i32 {
    %x = "t.a"() : () -> i32
    scf.yield %x : i32
  } else {
    %x = "t.b"() : () -> i32
    scf.yield %x : i32
  }
  %1 = scf.if %c -> i32 {
    %x = "t.c"(%0) : (i32) -> i32
    scf.yield %x : i32
  } else {
    %x = "t.d"(%0) : (i32) -> i32
    scf.yield %x : i32
  }
  return %0, %1 : i32, i32
}

func.func @if_combine_not(%c: i1) {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  scf.if %c {
    "t.a"() : () -> ()
  }
  scf.if %n {
    "t.b"() : () -> ()
  }
  return
}

func.func @if_not(%c: i1) {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  scf.if %n {
    "t.a"() : () -> ()
  } else {
    "t.b"() : () -> ()
  }
  return
}

func.func @if_prop(%c: i1) {
  scf.if %c {
    "t.a"(%c) : (i1) -> ()
    scf.if %c {
      "t.x"() : () -> ()
    }
  } else {
    "t.b"(%c) : (i1) -> ()
  }
  return
}

func.func @if_pure(%c: i1, %a: i32) -> i32 {
  %0 = scf.if %c -> i32 {
    %x = arith.addi %a, %a : i32
    scf.yield %x : i32
  } else {
    scf.yield %a : i32
  }
  return %0 : i32
}

func.func @if_dead(%c: i1, %a: i32) {
  %0 = scf.if %c -> i32 {
    %x = arith.addi %a, %a : i32
    scf.yield %x : i32
  } else {
    scf.yield %a : i32
  }
  return
}

func.func @for_zero(%a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c5 to %c0 step %c1 iter_args(%x = %a) -> i32 {
    %y = "t.a"(%x) : (i32) -> i32
    scf.yield %y : i32
  }
  return %0 : i32
}

func.func @for_same(%a: i32, %n: index) -> i32 {
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %n to %n step %c1 iter_args(%x = %a) -> i32 {
    %y = "t.a"(%x) : (i32) -> i32
    scf.yield %y : i32
  }
  return %0 : i32
}

func.func @for_one(%a: i32) -> i32 {
  %c0 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c1 = arith.constant 3 : index
  %0 = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a) -> i32 {
    %y = "t.a"(%x, %i) : (i32, index) -> i32
    scf.yield %y : i32
  }
  return %0 : i32
}

func.func @for_one_add(%a: i32, %n: index) -> i32 {
  %c1 = arith.constant 3 : index
  %m = arith.addi %n, %c1 : index
  %0 = scf.for %i = %n to %m step %c1 iter_args(%x = %a) -> i32 {
    %y = "t.a"(%x, %i) : (i32, index) -> i32
    scf.yield %y : i32
  }
  return %0 : i32
}

func.func @for_invariant_yield(%a: i32, %b: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a) -> i32 {
    scf.yield %b : i32
  }
  return %0 : i32
}

func.func @for_iter_args(%a: i32, %b: i32, %n: index) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:5 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %a, %w = %a, %d = %b) -> (i32, i32, i32, i32, i32) {
    %p = "t.a"(%x, %y, %z) : (i32, i32, i32) -> i32
    scf.yield %x, %b, %p, %p, %p : i32, i32, i32, i32, i32
  }
  return %0#0, %0#1, %0#2, %0#3 : i32, i32, i32, i32
}

func.func @for_dup(%a: i32, %n: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a) -> (i32, i32) {
    %p = "t.a"(%x, %y) : (i32, i32) -> i32
    scf.yield %p, %p : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}

func.func @for_swap(%a: i32, %b: i32, %n: index) -> (i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (i32, i32) {
    "t.a"() : () -> ()
    scf.yield %y, %x : i32, i32
  }
  return %0#0 : i32
}

func.func @for_deadcycle(%a: i32, %b: i32, %n: index) -> (i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (i32, i32) {
    %q = "t.a"(%x) : (i32) -> (i32)
    %s = arith.addi %y, %b : i32
    scf.yield %q, %s : i32, i32
  }
  return %0#0 : i32
}

func.func @for_empty(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
  }
  return
}

func.func @exec(%a: i32) -> i32 {
  %0 = scf.execute_region -> i32 {
    %x = "t.a"() : () -> i32
    scf.yield %x : i32
  }
  return %0 : i32
}

func.func @exec_multi(%c: i1) -> i32 {
  %0 = scf.execute_region -> i32 {
    cf.cond_br %c, ^a, ^b
  ^a:
    %x = "t.a"() : () -> i32
    scf.yield %x : i32
  ^b:
    %y = "t.b"() : () -> i32
    scf.yield %y : i32
  }
  "t.c"() : () -> ()
  return %0 : i32
}

func.func @iswitch(%a: i32) -> i32 {
  %i = arith.constant 3 : index
  %0 = scf.index_switch %i -> i32
  case 2 {
    scf.yield %a : i32
  }
  case 3 {
    %x = "t.a"() : () -> i32
    scf.yield %x : i32
  }
  default {
    %x = "t.b"() : () -> i32
    scf.yield %x : i32
  }
  return %0 : i32
}

func.func @iswitch_default(%a: i32) -> i32 {
  %i = arith.constant 7 : index
  %0 = scf.index_switch %i -> i32
  case 2 {
    scf.yield %a : i32
  }
  default {
    %x = "t.b"() : () -> i32
    scf.yield %x : i32
  }
  return %0 : i32
}

func.func @iswitch_unused(%a: i32, %i: index) -> i32 {
  %0:2 = scf.index_switch %i -> i32, i32
  case 2 {
    scf.yield %a, %a : i32, i32
  }
  default {
    %x = "t.b"() : () -> i32
    scf.yield %x, %a : i32, i32
  }
  return %0#0 : i32
}

func.func @w_truth(%n: i32) {
  scf.while : () -> () {
    %c = "t.c"() : () -> i1
    scf.condition(%c)
  } do {
    "t.b"() : () -> ()
    scf.yield
  }
  return
}

func.func @w_cond_prop() -> i1 {
  %0 = scf.while : () -> i1 {
    %c = "t.c"() : () -> i1
    scf.condition(%c) %c : i1
  } do {
  ^bb0(%x: i1):
    "t.b"(%x) : (i1) -> ()
    scf.yield
  }
  return %0 : i1
}

func.func @w_unused(%n: i32) -> i32 {
  %0:2 = scf.while (%a = %n) : (i32) -> (i32, i32) {
    %c = "t.c"(%a) : (i32) -> i1
    %d = "t.d"(%a) : (i32) -> i32
    scf.condition(%c) %a, %d : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %z = "t.b"(%x) : (i32) -> i32
    scf.yield %z : i32
  }
  return %0#0 : i32
}

func.func @w_dup(%n: i32) -> (i32, i32) {
  %0:2 = scf.while (%a = %n) : (i32) -> (i32, i32) {
    %c = "t.c"(%a) : (i32) -> i1
    scf.condition(%c) %a, %a : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %z = "t.b"(%x, %y) : (i32, i32) -> i32
    scf.yield %z : i32
  }
  return %0#0, %0#1 : i32, i32
}

func.func @w_inv_before(%n: i32, %m: i32) -> (i32, i32) {
  %0:2 = scf.while (%a = %n, %b = %m) : (i32, i32) -> (i32, i32) {
    %c = "t.c"(%a, %b) : (i32, i32) -> i1
    scf.condition(%c) %a, %b : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %z = "t.b"(%x, %y) : (i32, i32) -> i32
    scf.yield %z, %m : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}

func.func @w_inv_cond(%n: i32, %m: i32) -> (i32, i32) {
  %0:2 = scf.while (%a = %n) : (i32) -> (i32, i32) {
    %c = "t.c"(%a) : (i32) -> i1
    scf.condition(%c) %a, %m : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %z = "t.b"(%x, %y) : (i32, i32) -> i32
    scf.yield %z : i32
  }
  return %0#0, %0#1 : i32, i32
}

func.func @w_unused_arg(%n: i32, %m: i32) -> (i32) {
  %0 = scf.while (%a = %n, %b = %m) : (i32, i32) -> (i32) {
    %c = "t.c"(%a) : (i32) -> i1
    scf.condition(%c) %a : i32
  } do {
  ^bb0(%x: i32):
    %z = "t.b"(%x) : (i32) -> i32
    scf.yield %z, %z : i32, i32
  }
  return %0 : i32
}

func.func @w_cmp(%n: i32) -> (i32) {
  %0 = scf.while (%a = %n) : (i32) -> (i32) {
    %k = "t.k"() : () -> i32
    %c = arith.cmpi ne, %a, %k : i32
    scf.condition(%c) %a : i32
  } do {
  ^bb0(%x: i32):
    %k = "t.k"() : () -> i32
    %c = arith.cmpi ne, %x, %k : i32
    %z = "t.b"(%x, %c) : (i32, i1) -> i32
    scf.yield %z : i32
  }
  return %0 : i32
}

func.func @w_cmp2(%n: i32, %k: i32) -> (i32) {
  %0 = scf.while (%a = %n) : (i32) -> (i32) {
    %c = arith.cmpi ne, %a, %k : i32
    scf.condition(%c) %a : i32
  } do {
  ^bb0(%x: i32):
    %c = arith.cmpi ne, %x, %k : i32
    %d = arith.cmpi eq, %x, %k : i32
    %z = "t.b"(%x, %c, %d) : (i32, i1, i1) -> i32
    scf.yield %z : i32
  }
  return %0 : i32
}

func.func @w_align(%n: i32, %m: i64) -> (i64, i32) {
  %0:2 = scf.while (%a = %n, %b = %m) : (i32, i64) -> (i64, i32) {
    %c = "t.c"(%a, %b) : (i32, i64) -> i1
    scf.condition(%c) %b, %a : i64, i32
  } do {
  ^bb0(%x: i64, %y: i32):
    %z:2 = "t.b"(%x, %y) : (i64, i32) -> (i32, i64)
    scf.yield %z#0, %z#1 : i32, i64
  }
  return %0#0, %0#1 : i64, i32
}

func.func @w_align2(%n: i32) -> (i64) {
  %0 = scf.while (%a = %n) : (i32) -> (i64) {
    %c = "t.c"(%a) : (i32) -> i1
    %e = arith.extsi %a : i32 to i64
    scf.condition(%c) %e : i64
  } do {
  ^bb0(%x: i64):
    %z = "t.b"(%x) : (i64) -> (i32)
    scf.yield %z : i32
  }
  return %0 : i64
}

func.func @w_false(%n: i32) -> (i32) {
  %f = arith.constant false
  %0 = scf.while (%a = %n) : (i32) -> (i32) {
    %q = "t.a"(%a) : (i32) -> i32
    scf.condition(%f) %q : i32
  } do {
  ^bb0(%x: i32):
    scf.yield %x : i32
  }
  return %0 : i32
}

func.func @par_zero(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c0) step (%c1, %c1) {
    "t.a"(%i, %j) : (index, index) -> ()
    scf.reduce
  }
  return
}

func.func @par_one(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c1) step (%c1, %c1) {
    "t.a"(%i, %j) : (index, index) -> ()
    scf.reduce
  }
  return
}

func.func @par_all_one(%a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%a) -> i32 {
    %v = "t.a"(%i) : (index) -> i32
    scf.reduce(%v : i32) {
    ^bb0(%l: i32, %q: i32):
      %s = arith.addi %l, %q : i32
      scf.reduce.return %s : i32
    }
  }
  return %r : i32
}

func.func @par_merge(%n: index) {
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

func.func @forall_one(%n: index) {
  scf.forall (%i, %j) = (0, 0) to (%n, 1) step (1, 1) {
    "t.a"(%i, %j) : (index, index) -> ()
  }
  return
}

func.func @forall_all_one() {
  scf.forall (%i) in (1) {
    "t.a"(%i) : (index) -> ()
  }
  return
}

func.func @forall_zero() {
  scf.forall (%i) in (0) {
    "t.a"(%i) : (index) -> ()
  }
  return
}

func.func @forall_const() {
  %c8 = arith.constant 8 : index
  %c2 = arith.constant 2 : index
  scf.forall (%i) = (%c2) to (%c8) step (%c2) {
    "t.a"(%i) : (index) -> ()
  }
  return
}

func.func private @callee(i32) -> i32

func.func @indirect(%a: i32) -> i32 {
  %f = func.constant @callee : (i32) -> i32
  %0 = func.call_indirect %f(%a) : (i32) -> i32
  return %0 : i32
}

func.func @ucc(%a: i32) -> (i32, i64, i32) {
  %0 = builtin.unrealized_conversion_cast %a : i32 to i64
  %1 = builtin.unrealized_conversion_cast %0 : i64 to i32
  %2 = builtin.unrealized_conversion_cast %a : i32 to i32
  return %1, %0, %2 : i32, i64, i32
}

func.func @par_one_red(%n: index, %a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c1) step (%c1, %c1) init (%a) -> i32 {
    %v = "t.a"(%i, %j) : (index, index) -> i32
    scf.reduce(%v : i32) {
    ^bb0(%l: i32, %q: i32):
      %s = arith.addi %l, %q : i32
      scf.reduce.return %s : i32
    }
  }
  return %r : i32
}
