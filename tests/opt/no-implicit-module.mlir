// RUN: orison-opt --no-implicit-module %s | FileCheck %s
// RUN: orison-opt --no-implicit-module --cse --dump-pass-pipeline %s 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: cat %s %s > %t.mlir
// RUN: not orison-opt --no-implicit-module %t.mlir 2>&1 | FileCheck %s --check-prefix=TWO

// CHECK-NOT: module
// CHECK: func.func @f()
// PIPELINE: func.func(
// PIPELINE-NEXT: cse
// TWO: error: source must contain a single top-level operation, found: 2
func.func @f() {
  return
}
