// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Loops without carried values: the empty yield is not printed.
// CHECK:      scf.for %arg3 = %arg0 to %arg1 step %arg2 {
// CHECK-NEXT: }
// CHECK-NEXT: scf.for %arg3 = %arg0 to %arg1 step %arg2 {
// CHECK-NEXT: "d.use"(%arg3) : (index) -> ()
// CHECK-NEXT: } {d.x}
// GENERIC:      "scf.for"(%arg0, %arg1, %arg2) ({
// GENERIC-NEXT: ^bb0(%arg4: index):
// GENERIC-NEXT: "scf.yield"() : () -> ()
// GENERIC-NEXT: }) : (index, index, index) -> ()
func.func @f(%l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {}
  scf.for %i = %l to %u step %s {
    "d.use"(%i) : (index) -> ()
    scf.yield
  } {d.x}
  return
}
