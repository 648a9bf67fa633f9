// RUN: orison-opt --strip-debuginfo --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s

// CHECK: func.func @f(%arg0: i32 loc(unknown)) -> i32 {
// CHECK-NEXT: return %arg0 : i32 loc(unknown)
// CHECK-NEXT: } loc(unknown)
func.func @f(%a: i32 loc("a")) -> i32 {
  return %a : i32 loc("b")
} loc("c")
