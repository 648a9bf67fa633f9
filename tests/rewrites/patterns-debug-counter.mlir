// Debug counters select which applications of a pattern are executed.
//
// RUN: orison-opt --canonicalize=max-iterations=1 --mlir-debug-counter=erase-dead-skip=1,erase-dead-count=1 --mlir-print-debug-counter %s 2>&1 | FileCheck %s
// RUN: orison-opt --canonicalize --mlir-debug-counter=erase-dead-count=0 %s | FileCheck %s --check-prefix=NONE
// RUN: orison-opt '--canonicalize=max-iterations=1 max-num-rewrites=1' %s | FileCheck %s --check-prefix=ONE
// RUN: orison-opt '--canonicalize=max-iterations=2 max-num-rewrites=1' %s | FileCheck %s --check-prefix=TWO
// RUN: not orison-opt --mlir-debug-counter=fold %s 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not orison-opt --mlir-debug-counter=fold-skip=x %s 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not orison-opt --mlir-debug-counter=fold-jump=1 %s 2>&1 | FileCheck %s --check-prefix=NAME

// The second of three dead operations is erased. Counters are: tries, skipped, limit.
// CHECK: DebugCounter counters:
// CHECK: erase-dead {{ *}}: {3,1,1}
// CHECK: arith.muli
// CHECK-NOT: arith.addi
// CHECK: arith.subi
// NONE-COUNT-3: arith.
// The limit of rewrites is one of an iteration, as in MLIR.
// ONE-COUNT-2: arith.
// ONE-NOT: arith.
// TWO-COUNT-1: arith.
// TWO-NOT: arith.
// VALUE: expected DebugCounter argument to have an `=` separating the counter name and value, but the provided argument was: `fold`
// NUMBER: expected DebugCounter counter value to be numeric, but got `x`
// NAME: expected DebugCounter counter name to end with either `-skip` or `-count`, but got `fold-jump`
func.func @f(%a: i32, %b: i32) {
  %0 = arith.muli %a, %b : i32
  %1 = arith.addi %a, %b : i32
  %2 = arith.subi %a, %b : i32
  return
}
