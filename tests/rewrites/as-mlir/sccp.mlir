// Constants are propagated as mlir-opt does it.
// REQUIRES: mlir-opt
// RUN: orison-opt --allow-unregistered-dialect --sccp %s | mlir-opt --allow-unregistered-dialect --mlir-print-op-generic -o %t.ours
// RUN: mlir-opt --allow-unregistered-dialect --sccp --mlir-print-op-generic %s -o %t.theirs
// RUN: diff %t.theirs %t.ours

func.func @simple(%a: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %0 = arith.addi %c1, %c2 : i32
  %1 = arith.addi %0, %a : i32
  return %0 : i32
}

func.func @branch(%a: i32) -> i32 {
  %t = arith.constant true
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  cf.cond_br %t, ^a(%c1 : i32), ^b
^a(%x: i32):
  return %x : i32
^b:
  cf.br ^a(%c2 : i32)
}

func.func @both(%c: i1) -> i32 {
  %c1 = arith.constant 1 : i32
  %d1 = arith.constant 1 : i32
  cf.cond_br %c, ^a(%c1 : i32), ^b
^a(%x: i32):
  %y = arith.addi %x, %x : i32
  return %y : i32
^b:
  cf.br ^a(%d1 : i32)
}

func.func @loop(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^h(%c0, %c1 : i32, i32)
^h(%i: i32, %k: i32):
  %lt = arith.cmpi slt, %i, %n : i32
  cf.cond_br %lt, ^b, ^e
^b:
  %k2 = arith.muli %k, %k : i32
  %i2 = arith.addi %i, %k2 : i32
  cf.br ^h(%i2, %k2 : i32, i32)
^e:
  return %k : i32
}

func.func @scfif(%a: i32, %c: i1) -> (i32, i32) {
  %t = arith.constant true
  %c1 = arith.constant 1 : i32
  %0 = scf.if %t -> i32 {
    scf.yield %c1 : i32
  } else {
    scf.yield %a : i32
  }
  %1 = scf.if %c -> i32 {
    scf.yield %c1 : i32
  } else {
    %q = arith.constant 1 : i32
    scf.yield %q : i32
  }
  return %0, %1 : i32, i32
}

func.func @scffor(%n: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1i = arith.constant 1 : index
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %0:2 = scf.for %i = %c0 to %n step %c1i iter_args(%x = %c1, %y = %c1) -> (i32, i32) {
    %z = arith.muli %x, %x : i32
    %w = arith.addi %y, %c2 : i32
    scf.yield %z, %w : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}

func.func @scffor_const() -> (i32) {
  %c0 = arith.constant 0 : index
  %n = arith.constant 4 : index
  %c1i = arith.constant 1 : index
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %0 = scf.for %i = %c0 to %n step %c1i iter_args(%x = %c1) -> (i32) {
    scf.yield %c2 : i32
  }
  return %0 : i32
}

func.func @scfwhile(%n: i32) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %f = arith.constant false
  %0:2 = scf.while (%a = %c1, %b = %n) : (i32, i32) -> (i32, i32) {
    %c = "t.c"(%a, %b) : (i32, i32) -> i1
    scf.condition(%c) %a, %b : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %z = arith.muli %x, %x : i32
    scf.yield %z, %y : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}

func.func private @callee(%a: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %0 = arith.addi %a, %c1 : i32
  return %0 : i32
}

func.func @caller() -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %0 = call @callee(%c1) : (i32) -> i32
  %1 = call @callee(%c1) : (i32) -> i32
  return %0, %1 : i32, i32
}

func.func private @callee2(%a: i32) -> i32 {
  return %a : i32
}

func.func @caller2() -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %0 = call @callee2(%c1) : (i32) -> i32
  %1 = call @callee2(%c2) : (i32) -> i32
  return %0, %1 : i32, i32
}

func.func @pub() -> i32 {
  %c5 = arith.constant 5 : i32
  return %c5 : i32
}

func.func @caller3() -> (i32) {
  %0 = call @pub() : () -> i32
  return %0 : i32
}

func.func private @ext(i32) -> i32

func.func @caller4() -> (i32) {
  %c5 = arith.constant 5 : i32
  %0 = call @ext(%c5) : (i32) -> i32
  return %0 : i32
}

func.func private @never(%a: i32) -> i32 {
  %c5 = arith.constant 5 : i32
  %0 = arith.addi %c5, %c5 : i32
  return %0 : i32
}

func.func private @escaped(%a: i32) -> i32 {
  return %a : i32
}

func.func @esc() -> (i32, (i32) -> i32) {
  %c5 = arith.constant 5 : i32
  %0 = call @escaped(%c5) : (i32) -> i32
  %f = constant @escaped : (i32) -> i32
  return %0, %f : i32, (i32) -> i32
}

func.func @inplace(%a: i32) -> i32 {
  %c5 = arith.constant 5 : i32
  %0 = arith.addi %c5, %a : i32
  %z = arith.constant 0 : i32
  %1 = arith.muli %0, %z : i32
  %2 = arith.addi %1, %a : i32
  return %2 : i32
}

func.func @iswitch(%a: i32) -> i32 {
  %i = arith.constant 3 : index
  %c1 = arith.constant 1 : i32
  %0 = scf.index_switch %i -> i32
  case 3 {
    scf.yield %c1 : i32
  }
  default {
    scf.yield %a : i32
  }
  return %0 : i32
}

func.func @exec() -> i32 {
  %c1 = arith.constant 1 : i32
  %0 = scf.execute_region -> i32 {
    scf.yield %c1 : i32
  }
  return %0 : i32
}

func.func @whilefalse() -> (i32) {
  %c1 = arith.constant 1 : i32
  %f = arith.constant false
  %0 = scf.while (%a = %c1) : (i32) -> (i32) {
    scf.condition(%f) %a : i32
  } do {
  ^bb0(%x: i32):
    %c2 = arith.constant 2 : i32
    scf.yield %c2 : i32
  }
  return %0 : i32
}

func.func @par(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %c2 = arith.constant 2 : i32
    %c3 = arith.addi %c2, %c2 : i32
    "t.a"(%i, %c3) : (index, i32) -> ()
    scf.reduce
  }
  "t.r"() ({
    %c2 = arith.constant 2 : i32
    %c3 = arith.addi %c2, %c2 : i32
    "t.a"(%c3) : (i32) -> ()
  }) : () -> ()
  return
}
