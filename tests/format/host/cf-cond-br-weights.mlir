// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Branch weights.
// CHECK: cf.cond_br %arg0 weights([90, 10]), ^bb1, ^bb2
// GENERIC: <{branch_weights = array<i32: 90, 10>, operandSegmentSizes = array<i32: 1, 0, 0>}>
func.func @f(%c: i1) {
  cf.cond_br %c weights([90, 10]), ^a, ^b
^a:
  return
^b:
  return
}
