// The file has only the failed pass, and the IR after the passes before it.
// RUN: not orison-opt --pass-pipeline='builtin.module(cse,func.func(canonicalize{max-iterations=1 test-convergence=true},cse))' --mlir-pass-pipeline-local-reproducer --mlir-pass-pipeline-crash-reproducer=%t.mlir %s
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: not orison-opt --run-reproducer %t.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN

// cse has merged the two operations.
// CHECK:      arith.muli
// CHECK-NOT:  arith.muli
// CHECK:      pipeline: "builtin.module(func.func(canonicalize{max-iterations=1 {{[^,]*}} test-convergence=true top-down=true}))",
// CHECK-NEXT: verify_each: true

// AGAIN: error: 'func.func' op did not converge
func.func @f(%a: i32) -> i32 {
  %dead = arith.addi %a, %a : i32
  %0 = arith.muli %a, %a : i32
  %1 = arith.muli %a, %a : i32
  %2 = arith.subi %0, %1 : i32
  return %2 : i32
}
