// Operations leave loops as mlir-opt moves them.
// REQUIRES: mlir-opt
// RUN: orison-opt --allow-unregistered-dialect --loop-invariant-code-motion %s | mlir-opt --allow-unregistered-dialect --mlir-print-op-generic -o %t.ours
// RUN: mlir-opt --allow-unregistered-dialect --loop-invariant-code-motion --mlir-print-op-generic %s -o %t.theirs
// RUN: diff %t.theirs %t.ours

func.func @nested(%n: index, %a: i32, %b: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %0 = arith.addi %a, %b : i32
      %1 = arith.muli %0, %b : i32
      %2 = arith.index_cast %i : index to i32
      %3 = arith.addi %2, %1 : i32
      %4 = arith.index_cast %j : index to i32
      %5 = arith.addi %4, %3 : i32
      "t.use"(%5) : (i32) -> ()
    }
  }
  return
}

func.func @div(%n: index, %a: i32, %b: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : i32
  %z = arith.constant 0 : i32
  %m1 = arith.constant -1 : i32
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.divsi %a, %b : i32
    %1 = arith.divsi %a, %c7 : i32
    %2 = arith.divui %a, %z : i32
    %3 = arith.divsi %a, %m1 : i32
    %4 = arith.divui %a, %m1 : i32
    %5 = arith.ceildivsi %a, %b : i32
    "t.use"(%0, %1, %2, %3, %4, %5) : (i32, i32, i32, i32, i32, i32) -> ()
  }
  return
}

func.func @regions(%n: index, %c: i1, %a: i32, %b: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = scf.if %c -> i32 {
      %x = arith.addi %a, %b : i32
      scf.yield %x : i32
    } else {
      scf.yield %b : i32
    }
    %1 = scf.if %c -> i32 {
      %x = arith.divsi %a, %b : i32
      scf.yield %x : i32
    } else {
      scf.yield %b : i32
    }
    %2 = scf.if %c -> i32 {
      %x = "t.op"() : () -> i32
      scf.yield %x : i32
    } else {
      scf.yield %b : i32
    }
    %3 = scf.for %j = %c0 to %n step %c1 iter_args(%q = %a) -> i32 {
      %x = arith.addi %q, %b : i32
      scf.yield %x : i32
    }
    %4 = scf.for %j = %c0 to %n step %c2 iter_args(%q = %a) -> i32 {
      %x = arith.addi %q, %b : i32
      scf.yield %x : i32
    }
    "t.use"(%0, %1, %2, %3, %4) : (i32, i32, i32, i32, i32) -> ()
  }
  return
}

func.func @whil(%n: i32, %a: i32) -> i32 {
  %0 = scf.while (%x = %n) : (i32) -> i32 {
    %p = arith.muli %a, %a : i32
    %c = arith.cmpi slt, %x, %p : i32
    scf.condition(%c) %x : i32
  } do {
  ^bb0(%y: i32):
    %q = arith.addi %a, %a : i32
    %z = arith.addi %y, %q : i32
    scf.yield %z : i32
  }
  return %0 : i32
}

func.func @par(%n: index, %a: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %q = arith.addi %a, %a : i32
    %k = arith.constant 4 : i32
    "t.use"(%q, %k) : (i32, i32) -> ()
    scf.reduce
  }
  scf.forall (%i) in (%n) {
    %q = arith.addi %a, %a : i32
    %k = arith.constant 4 : i32
    "t.use"(%q, %k) : (i32, i32) -> ()
  }
  return
}
