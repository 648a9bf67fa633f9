// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Implicit terminators and entry arguments have separate locations.
// GENERIC: "scf.yield"() : () -> ()
// CHECK:      scf.for
// CHECK-NEXT: }
func.func @f(%i: index) {
  scf.for %k = %i to %i step %i {}
  return
}
