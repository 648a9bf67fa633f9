// Loops and conditionals become branches as by mlir-opt: the same blocks in the same order.
// REQUIRES: mlir-opt
// RUN: orison-opt --allow-unregistered-dialect --convert-scf-to-cf %s | mlir-opt --allow-unregistered-dialect --mlir-print-op-generic -o %t.ours
// RUN: mlir-opt --allow-unregistered-dialect --convert-scf-to-cf --mlir-print-op-generic %s -o %t.theirs
// RUN: diff %t.theirs %t.ours

func.func @for(%lower: index, %upper: index, %step: index, %init: i32) -> i32 {
  %r = scf.for %i = %lower to %upper step %step iter_args(%a = %init) -> (i32) {
    %x = arith.index_cast %i : index to i32
    %y = arith.addi %a, %x : i32
    scf.yield %y : i32
  }
  return %r : i32
}

func.func @unsigned(%lower: i32, %upper: i32, %step: i32) {
  scf.for unsigned %i = %lower to %upper step %step : i32 {
    func.call @use(%i) : (i32) -> ()
  }
  return
}

func.func private @use(i32)

func.func @nested(%lower: index, %upper: index, %step: index, %c: i1) -> index {
  %r = scf.for %i = %lower to %upper step %step iter_args(%a = %lower) -> index {
    %s = scf.for %j = %lower to %i step %step iter_args(%b = %a) -> index {
      %t = scf.if %c -> index {
        %u = arith.addi %i, %j : index
        scf.yield %u : index
      } else {
        scf.yield %b : index
      }
      scf.yield %t : index
    }
    scf.yield %s : index
  }
  return %r : index
}

func.func @conditionals(%c: i1, %d: i1, %x: i32) -> (i32, i32) {
  scf.if %c {
    func.call @use(%x) : (i32) -> ()
  }
  scf.if %d {
    func.call @use(%x) : (i32) -> ()
    scf.if %c {
      func.call @use(%x) : (i32) -> ()
    }
  } else {
  }
  %r:2 = scf.if %d -> (i32, i32) {
    scf.yield %x, %x : i32, i32
  } else {
    %y = arith.addi %x, %x : i32
    scf.yield %y, %x : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

func.func @while(%x: i32, %n: i32) -> (i32, i64) {
  %one = arith.constant 1 : i32
  %r:2 = scf.while (%a = %x) : (i32) -> (i32, i64) {
    %c = arith.cmpi slt, %a, %n : i32
    %w = arith.extsi %a : i32 to i64
    scf.condition(%c) %a, %w : i32, i64
  } do {
  ^bb0(%a: i32, %w: i64):
    %b = arith.addi %a, %one : i32
    scf.yield %b : i32
  }
  return %r#0, %r#1 : i32, i64
}

func.func @do_while(%x: i32, %n: i32) -> i32 {
  %r = scf.while (%a = %x) : (i32) -> i32 {
    %b = arith.addi %a, %n : i32
    %c = arith.cmpi slt, %b, %n : i32
    scf.condition(%c) %b : i32
  } do {
  ^bb0(%a: i32):
    scf.yield %a : i32
  }
  return %r : i32
}

func.func @execute_region(%c: i1, %x: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    scf.yield %x : i32
  ^bb2:
    %y = arith.addi %x, %x : i32
    scf.yield %y : i32
  }
  return %r : i32
}

func.func @switch(%i: index, %x: i32) -> i32 {
  %r = scf.index_switch %i -> i32
  case 2 {
    scf.yield %x : i32
  }
  case 5 {
    %y = arith.addi %x, %x : i32
    scf.yield %y : i32
  }
  default {
    %z = arith.muli %x, %x : i32
    scf.yield %z : i32
  }
  return %r : i32
}

func.func @switch_default(%i: index, %x: i32) -> i32 {
  %r = scf.index_switch %i -> i32
  default {
    scf.yield %x : i32
  }
  return %r : i32
}

func.func @parallel(%l: index, %u: index, %s: index, %init: i32) -> i32 {
  %r = scf.parallel (%i, %j) = (%l, %l) to (%u, %u) step (%s, %s) init (%init) -> i32 {
    %x = arith.index_cast %i : index to i32
    scf.reduce(%x : i32) {
    ^bb0(%a: i32, %b: i32):
      %y = arith.addi %a, %b : i32
      scf.reduce.return %y : i32
    }
  }
  return %r : i32
}

func.func @parallel_without_results(%l: index, %u: index, %s: index) {
  scf.parallel (%i, %j) = (%l, %l) to (%u, %u) step (%s, %s) {
    %x = arith.index_cast %j : index to i32
    func.call @use(%x) : (i32) -> ()
    scf.reduce
  }
  return
}

func.func @in_blocks(%c: i1, %l: index, %u: index, %s: index) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  scf.for %i = %l to %u step %s {
    scf.if %c {
      %x = arith.index_cast %i : index to i32
      func.call @use(%x) : (i32) -> ()
    }
  }
  cf.br ^bb2
^bb2:
  return
}

func.func @inverted(%c: i1, %x: i32) {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  scf.if %n {
    func.call @use(%x) : (i32) -> ()
  } else {
    func.call @f(%x) : (i32) -> ()
  }
  scf.if %n {
    func.call @use(%x) : (i32) -> ()
  }
  return
}

func.func private @f(i32)

func.func @forall(%c: i1, %n: index) {
  scf.if %c {
    scf.forall (%i, %j) = (1, %n) to (%n, 10) step (2, 1) {
      %x = arith.index_cast %j : index to i32
      func.call @use(%x) : (i32) -> ()
    }
  }
  return
}

func.func @while_of_loops(%n: index, %s: index, %c: i1) {
  scf.while : () -> () {
    scf.for %i = %s to %n step %s {
    }
    scf.condition(%c)
  } do {
    scf.if %c {
    }
    scf.yield
  }
  return
}
