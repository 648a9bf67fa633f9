// RUN: orison-opt --allow-unregistered-dialect --mlir-print-value-users %s | FileCheck %s

// Users are listed in comments; operations with operands but no results get an id.
// CHECK: // %arg0 is used by %1
// CHECK-NEXT: // %arg1 is used by %6
// CHECK-NEXT: %1 = arith.addi %arg0, %arg0 : i32 // users: %4, %3, %2#0, %2#1
// CHECK-NEXT: %2:2 = "d.op"(%1) : (i32) -> (i32, i32) // users: (unused), (%3)
// CHECK-NEXT: %3 = arith.addi %1, %2#1 : i32 // user: %7
// CHECK-NEXT: %c5_i32 = arith.constant 5 : i32 // unused
// CHECK-NEXT: cf.br ^bb1(%1 : i32) // id: %4
// CHECK-NEXT: ^bb1(%5: i32):  // pred: ^bb0
// CHECK-NEXT: // %5 is unused
// CHECK: } // id: %6
// CHECK-NEXT: return %3 : i32 // id: %7
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
