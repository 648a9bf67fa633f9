// RUN: not orison-opt --canonicalize='max-iterations=1 test-convergence' --mlir-pass-pipeline-crash-reproducer=%t.mlir %s 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: not orison-opt --canonicalize='max-iterations=1 test-convergence' --mlir-pass-pipeline-crash-reproducer=%t/no/such/folder.mlir %s 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: orison-opt: cannot write the reproducer '{{.*}}folder.mlir': No such file or directory
// RUN: FileCheck %s --check-prefix=FILE --input-file=%t.mlir
// RUN: not orison-opt --run-reproducer %t.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: orison-opt --cse --mlir-generate-reproducer=%t2.mlir -o /dev/null %s
// RUN: orison-opt --run-reproducer --mlir-print-ir-after-all %t2.mlir 2>&1 | FileCheck %s --check-prefix=RUN-IT

// FAIL: error: 'builtin.module' op did not converge
// FAIL: reproducer written to
// FILE:      mlir_reproducer: {
// FILE:      pipeline: "builtin.module(canonicalize{max-iterations=1 max-num-rewrites=-1 region-simplify=normal test-convergence=true top-down=true})",
// FILE-NEXT: verify_each: true
// AGAIN: error: 'builtin.module' op did not converge
// RUN-IT: IR Dump After cse
// RUN-IT-NOT: mlir_reproducer
func.func @f(%a: i32) {
  %0 = arith.addi %a, %a : i32
  return
}
