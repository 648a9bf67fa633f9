// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Assertions: the message is a string with escapes.
// CHECK:      cf.assert %arg0, "plain"
// CHECK-NEXT: cf.assert %arg0, "q\22q\0A" {d.x}
// CHECK-NEXT: cf.assert %arg0, ""
// GENERIC: "cf.assert"(%arg0) <{msg = "plain"}> : (i1) -> ()
func.func @f(%c: i1) {
  cf.assert %c, "plain"
  cf.assert %c, "q\"q\n" {d.x}
  cf.assert %c, ""
  return
}
