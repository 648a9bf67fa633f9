// A requested pass without anything to work on gives a warning.

// RUN: orison-opt %s --tileas-generate-schedule 2>&1 | FileCheck %s --check-prefix=GENERATE
// RUN: orison-opt %s --tileas-verify-schedule 2>&1 | FileCheck %s --check-prefix=VERIFY
// RUN: orison-opt %s --tileas-schedule-report 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: orison-opt %s --tileas-assign-buffers 2>&1 | FileCheck %s --check-prefix=ASSIGN
// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-generate-schedule --tileas-assign-buffers=check 2>&1 | FileCheck %s --check-prefix=JUDGE
// RUN: orison-opt %s --tileas-materialize-schedule 2>&1 | FileCheck %s --check-prefix=MATERIALIZE
// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-materialize-schedule 2>&1 | FileCheck %s --check-prefix=MATERIALIZE
// RUN: orison-opt %s --tileas-verify-pipelines 2>&1 | FileCheck %s --check-prefix=PIPELINES
// RUN: orison-opt %s --tileas-verify-shapes 2>&1 | FileCheck %s --check-prefix=SHAPES
// RUN: orison-opt %s --tileas-static-persistent 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: orison-opt %s --tileas-dynamic-persistent 2>&1 | FileCheck %s --check-prefix=DYNAMIC

// GENERATE: nothing-to-do.mlir:27:1: warning: pass 'tileas-generate-schedule' found nothing to do: no innermost 'scf.for' has tile operations
// VERIFY: warning: pass 'tileas-verify-schedule' found nothing to do: no loop has a schedule; run tileas-generate-schedule first
// REPORT: warning: pass 'tileas-schedule-report' found nothing to do: no loop has a schedule; run tileas-generate-schedule first
// ASSIGN: warning: pass 'tileas-assign-buffers' found nothing to do: there are neither pipelines nor scheduled loops
// JUDGE: warning: pass 'tileas-assign-buffers' found nothing to do: no function has assigned buffers; run tileas-assign-buffers without 'check' first
// MATERIALIZE: warning: pass 'tileas-materialize-schedule' found nothing to do: no loop has a schedule; run tileas-generate-schedule first
// PIPELINES: warning: pass 'tileas-verify-pipelines' found nothing to do: there are no pipelines and no agents
// SHAPES: warning: pass 'tileas-verify-shapes' found nothing to do: no kernel has 'tileas.shapes'
// STATIC: warning: pass 'tileas-static-persistent' found nothing to do: no kernel reads its program id
// DYNAMIC: warning: pass 'tileas-dynamic-persistent' found nothing to do: no kernel reads its program id

// This loop has no operation that the tile scheduler supports.
func.func @sum(%n: index, %start: i32, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %start) -> (i32) {
    %next = arith.addi %s, %x : i32
    scf.yield %next : i32
  }
  return %sum : i32
}
