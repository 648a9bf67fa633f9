// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-debuginfo %s | FileCheck %s --check-prefix=DEBUG

// Arguments of a function, its terminator, and the function itself.
// DEBUG: func.func @f(%arg0: i32 loc("x"), %arg1: i32 {d.a} loc("y")) -> i32 {
// DEBUG-NEXT: return %arg0 : i32 loc(#loc{{[0-9]+}})
// DEBUG-NEXT: } loc(#loc{{[0-9]+}})
func.func @f(%a: i32 loc("x"), %b: i32 {d.a} loc("y")) -> i32 {
  return %a : i32 loc("r")
} loc("function")
