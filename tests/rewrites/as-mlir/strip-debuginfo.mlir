// Locations are stripped as by mlir-opt.
// REQUIRES: mlir-opt
// RUN: orison-opt --strip-debuginfo --mlir-print-debuginfo %s | mlir-opt --mlir-print-op-generic --mlir-print-debuginfo -o %t.ours
// RUN: mlir-opt --strip-debuginfo --mlir-print-op-generic --mlir-print-debuginfo %s -o %t.theirs
// RUN: diff %t.theirs %t.ours

func.func @f(%a: i32 loc("a"), %c: i1 loc("c")) -> i32 {
  %0 = scf.if %c -> i32 {
    %1 = arith.addi %a, %a : i32 loc(fused["x", "y"])
    scf.yield %1 : i32 loc("yield")
  } else {
    scf.yield %a : i32 loc(callsite("callee" at "caller"))
  } loc("if":1:2)
  cf.br ^b(%0 : i32) loc("branch")
^b(%2: i32 loc("argument")):
  return %2 : i32 loc(unknown)
} loc("f")
