// RUN: orison-opt --allow-unregistered-dialect --mlir-print-debuginfo --mlir-pretty-debuginfo %s | FileCheck %s

// Locations without `loc` and without quotes around file names: readable, but not parseable.
// CHECK: func.func @f(%arg0: i32 "in", %arg1: i1 {{.*}}:[[@LINE+6]]:33) -> i32 {
// CHECK-NEXT: %0 = arith.addi %arg0, %arg0 : i32 "sum"
// CHECK-NEXT: %1:2 = "d.op"(%0) : (i32) -> (i32, i32) "pair"(#loc{{[0-9]*}})
// CHECK: %c5_i32 = arith.constant 5 : i32 "five six"
// CHECK: ^bb1(%3: i32 "block"):  // pred: ^bb0
// CHECK: #loc{{[0-9]+}} = f:1:1
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
