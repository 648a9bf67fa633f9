// RUN: orison-opt --allow-unregistered-dialect --mlir-use-nameloc-as-prefix --mlir-print-op-generic %s | FileCheck %s

// Names from locations in generic form, and numbers for the other values.
// CHECK: ^bb0(%in: i32, %arg1: i1):
// CHECK-NEXT: %sum = "arith.addi"(%in, %in)
// CHECK: %1 = "d.v"() : () -> i32
// CHECK: %0 = "d.v"() : () -> i32
// CHECK: "func.return"(%sum_0) : (i32) -> ()
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
