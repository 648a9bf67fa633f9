// RUN: orison-opt --allow-unregistered-dialect --mlir-use-nameloc-as-prefix %s | FileCheck %s

// A name location names the value; characters not allowed in identifiers become underscores.
// CHECK: func.func @f(%in: i32, %arg1: i1) -> i32 {
// CHECK-NEXT: %sum = arith.addi %in, %in : i32
// CHECK-NEXT: %pair:2 = "d.op"(%sum) : (i32) -> (i32, i32)
// CHECK-NEXT: %sum_0 = arith.addi %sum, %pair#1 : i32
// CHECK-NEXT: %five_six = arith.constant 5 : i32
// CHECK-NEXT: cf.br ^bb1(%sum : i32)
// CHECK-NEXT: ^bb1(%block: i32):  // pred: ^bb0
// CHECK: return %sum_0 : i32
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

// Each result with a name of its own has that of the location instead.
// CHECK: func.func @two(
// CHECK-NEXT: %both, %both_0 = arith.addui_extended %arg0, %arg0 : i32, i1
// CHECK-NEXT: %sum, %overflow = arith.addui_extended %both, %arg0 : i32, i1
// CHECK-NEXT: return %sum, %both_0 : i32, i1
func.func @two(%x: i32) -> (i32, i1) {
  %s, %o = arith.addui_extended %x, %x : i32, i1 loc("both")
  %t, %p = arith.addui_extended %s, %x : i32, i1
  return %t, %o : i32, i1
}

// A name that an argument without one has is not given again.
// CHECK: func.func @taken(%arg0: i32, %arg0_0: i32) -> i32 {
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %arg0, %arg0_0 : i32
func.func @taken(%x: i32, %y: i32 loc("arg0")) -> i32 {
  %0 = arith.addi %x, %y : i32
  return %0 : i32
}
