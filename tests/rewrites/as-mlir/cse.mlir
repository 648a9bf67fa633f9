// Common subexpressions are eliminated as by mlir-opt.
// REQUIRES: mlir-opt
// RUN: orison-opt --allow-unregistered-dialect --cse %s | mlir-opt --allow-unregistered-dialect --mlir-print-op-generic -o %t.ours
// RUN: mlir-opt --allow-unregistered-dialect --cse --mlir-print-op-generic %s -o %t.theirs
// RUN: diff %t.theirs %t.ours

func.func @chains(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %b, %a : i32
  %2 = arith.muli %0, %a : i32
  %3 = arith.muli %1, %a : i32
  %4 = arith.subi %a, %b : i32
  %5 = arith.subi %b, %a : i32
  %6 = arith.addi %4, %5 : i32
  %7 = arith.addi %5, %4 : i32
  %8 = arith.addi %6, %7 : i32
  return %8, %3 : i32, i32
}
func.func @flags(%a: i32) -> (i32, i32) {
  %0 = arith.addi %a, %a overflow<nsw> : i32
  %1 = arith.addi %a, %a : i32
  return %0, %1 : i32, i32
}
func.func @constants() -> (i32, i32, i64) {
  %0 = arith.constant 1 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 1 : i64
  return %0, %1, %2 : i32, i32, i64
}
func.func @blocks(%a: i32, %c: i1) -> i32 {
  %0 = arith.muli %a, %a : i32
  cf.cond_br %c, ^a, ^b
^a:
  %1 = arith.muli %a, %a : i32
  %2 = arith.addi %a, %a : i32
  cf.br ^c(%1, %2 : i32, i32)
^b:
  %3 = arith.addi %a, %a : i32
  cf.br ^c(%0, %3 : i32, i32)
^c(%4: i32, %5: i32):
  %6 = arith.addi %a, %a : i32
  %7 = arith.muli %a, %a : i32
  %8 = arith.addi %6, %7 : i32
  %9 = arith.addi %4, %5 : i32
  %10 = arith.addi %8, %9 : i32
  return %10 : i32
}
func.func @regions(%a: i32, %c: i1, %n: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.muli %a, %a : i32
  %1 = scf.if %c -> i32 {
    %2 = arith.muli %a, %a : i32
    %3 = arith.addi %a, %a : i32
    %4 = arith.addi %2, %3 : i32
    scf.yield %4 : i32
  } else {
    %5 = arith.addi %a, %a : i32
    scf.yield %5 : i32
  }
  %6 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> i32 {
    %7 = arith.muli %a, %a : i32
    %8 = arith.addi %x, %7 : i32
    %9 = arith.addi %x, %7 : i32
    %10 = arith.muli %8, %9 : i32
    scf.yield %10 : i32
  }
  return %1, %6 : i32, i32
}
func.func @equal_regions(%a: i32, %c: i1, %n: index) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.if %c -> i32 {
    %1 = arith.muli %a, %a : i32
    scf.yield %1 : i32
  } else {
    scf.yield %a : i32
  }
  %2 = scf.if %c -> i32 {
    %3 = arith.muli %a, %a : i32
    scf.yield %3 : i32
  } else {
    scf.yield %a : i32
  }
  %4 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> i32 {
    %5 = arith.addi %x, %x : i32
    scf.yield %5 : i32
  }
  %6 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> i32 {
    %7 = arith.addi %x, %x : i32
    scf.yield %7 : i32
  }
  return %0, %2, %4, %6 : i32, i32, i32, i32
}
func.func @effects(%a: i32, %m: memref<4xi32>, %i: index) -> i32 {
  %0 = "t.op"(%a) : (i32) -> i32
  %1 = "t.op"(%a) : (i32) -> i32
  %2 = call @extern(%a) : (i32) -> i32
  %3 = call @extern(%a) : (i32) -> i32
  %4 = arith.addi %0, %1 : i32
  %5 = arith.addi %2, %3 : i32
  %6 = arith.addi %4, %5 : i32
  return %6 : i32
}
func.func private @extern(i32) -> i32
func.func @dead(%a: i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.muli %0, %0 : i32
  return
}
func.func @isolated(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  builtin.module {
    func.func @inner(%b: i32) -> (i32, i32) {
      %1 = arith.addi %b, %b : i32
      %2 = arith.addi %b, %b : i32
      return %1, %2 : i32, i32
    }
  }
  return %0 : i32
}
