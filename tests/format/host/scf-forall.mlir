// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Bounds that start at 0 with step 1 print as `in`; the terminator without contents is hidden.
// CHECK:      scf.forall (%arg2, %arg3) in (%arg0, 5) {
// CHECK-NEXT: }
// CHECK-NEXT: scf.forall (%arg2, %arg3) = (0, %arg0) to (5, 6) step (1, 2) {
// CHECK-NEXT: "d.use"(%arg2, %arg3) : (index, index) -> ()
// CHECK-NEXT: } {d.x}
// CHECK-NEXT: %0 = scf.forall (%arg2) in (%arg0) shared_outs(%arg3 = %arg1) -> (tensor<4xf32>) {
// CHECK-NEXT: scf.forall.in_parallel {
// CHECK-NEXT: }
// CHECK-NEXT: }
// GENERIC: "scf.forall"(%arg0) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0, 0>, staticStep = array<i64: 1, 1>, staticUpperBound = array<i64: -9223372036854775808, 5>}> ({
func.func @f(%i: index, %t: tensor<4xf32>) {
  scf.forall (%x, %y) in (%i, 5) {}
  scf.forall (%x, %y) = (0, %i) to (5, 6) step (1, 2) {
    "d.use"(%x, %y) : (index, index) -> ()
    scf.forall.in_parallel {}
  } {d.x}
  %0 = scf.forall (%x) in (%i) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {}
  }
  return
}
