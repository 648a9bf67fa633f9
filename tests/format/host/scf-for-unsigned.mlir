// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Unsigned comparison of the bounds.
// CHECK: scf.for unsigned %arg1 = %arg0 to %arg0 step %arg0 {
// GENERIC: "scf.for"(%arg0, %arg0, %arg0) <{unsignedCmp}> ({
func.func @f(%a: index) {
  scf.for unsigned %i = %a to %a step %a {}
  return
}
