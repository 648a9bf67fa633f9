// RUN: not orison-opt --verify-diagnostics %s 2>&1 | FileCheck %s
// RUN: orison-opt --verify-diagnostics=only-expected %s

// CHECK: verify-diagnostics-failures.mlir:[[@LINE+2]]:3: error: unexpected error: 'func.return' op has 0 operands, but enclosing function (@f) returns 1
func.func @f() -> i32 {
  return
}
