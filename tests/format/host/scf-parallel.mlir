// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Parallel loops with and without reductions; an empty scf.reduce is printed.
// CHECK:      %0 = scf.parallel (%arg2, %arg3) = (%arg0, %arg0) to (%arg0, %arg0) step (%arg0, %arg0) init (%arg1) -> f32 {
// CHECK-NEXT: scf.reduce(%arg1 : f32) {
// CHECK-NEXT: ^bb0(%arg4: f32, %arg5: f32):
// CHECK-NEXT: %1 = arith.addf %arg4, %arg5 : f32
// CHECK-NEXT: scf.reduce.return %1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: } {d.x}
// CHECK-NEXT: scf.parallel (%arg2) = (%arg0) to (%arg0) step (%arg0) {
// CHECK-NEXT: scf.reduce{{ ?$}}
// CHECK-NEXT: }
// GENERIC: "scf.parallel"(%arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
// GENERIC: "scf.reduce"() : () -> ()
func.func @f(%i: index, %a: f32) {
  %0 = scf.parallel (%x, %y) = (%i, %i) to (%i, %i) step (%i, %i) init (%a) -> f32 {
    scf.reduce(%a : f32) {
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      scf.reduce.return %s : f32
    }
  } {d.x}
  scf.parallel (%x) = (%i) to (%i) step (%i) {}
  return
}
