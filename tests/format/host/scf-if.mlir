// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Conditionals without results; an empty else is kept.
// CHECK:      scf.if %arg0 {
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT: } else {
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT: "d.then"() : () -> ()
// CHECK-NEXT: } else {
// CHECK-NEXT: "d.else"() : () -> ()
// CHECK-NEXT: } {d.x}
// GENERIC:      "scf.if"(%arg0) ({
// GENERIC-NEXT: "scf.yield"() : () -> ()
// GENERIC-NEXT: }, {
// GENERIC-NEXT: }) : (i1) -> ()
func.func @f(%c: i1) {
  scf.if %c {}
  scf.if %c {} else {}
  scf.if %c {
    "d.then"() : () -> ()
  } else {
    "d.else"() : () -> ()
    scf.yield
  } {d.x}
  return
}
