// What a pipeline may run on: operations that are registered and isolated from above.

// RUN: not orison-opt --allow-unregistered-dialect --no-implicit-module --pass-pipeline='u.op(cse)' %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not orison-opt --allow-unregistered-dialect --no-implicit-module --pass-pipeline='any(cse)' %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: echo '%%0 = arith.constant 1 : i32' > %t.mlir
// RUN: not orison-opt --no-implicit-module --pass-pipeline='arith.constant(cse)' %t.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not orison-opt --no-implicit-module --pass-pipeline='any(cse)' %t.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// Nested operations on which it cannot run are left out.
// RUN: orison-opt --allow-unregistered-dialect --pass-pipeline='builtin.module(any(cse))' %s | FileCheck %s --check-prefix=NESTED

// UNKNOWN: error: 'u.op' op trying to schedule a pass on an unregistered operation
// OPEN: error: 'arith.constant' op trying to schedule a pass on an operation not marked as 'IsolatedFromAbove'
// NESTED-COUNT-2: arith.constant 1
"u.op"() ({
  %0 = arith.constant 1 : i32
  %1 = arith.constant 1 : i32
  "u.use"(%0, %1) : (i32, i32) -> ()
}) : () -> ()
