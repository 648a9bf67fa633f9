// RUN: orison-opt --allow-unregistered-dialect --mlir-print-skip-regions %s | FileCheck %s

// Regions are printed as an ellipsis.
// CHECK: module {...}
func.func @f(%a: i32 loc("in"), %c: i1) -> i32 {
  %x = arith.addi %a, %a : i32 loc("sum")
  %y:2 = "d.op"(%x) : (i32) -> (i32, i32) loc("pair"("f":1:1))
  %z = arith.addi %x, %y#1 : i32 loc("sum")
  %w = arith.constant 5 : i32 loc("five six")
  cf.br ^b(%x : i32)
^b(%q: i32 loc("block")):
  scf.if %c {
    %u = "d.v"() : () -> i32
  } else {
    %u = "d.v"() : () -> i32
  }
  return %z : i32
}
