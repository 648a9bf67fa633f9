// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A use may precede its definition in the text if the definition's block dominates.
// CHECK:      cf.br ^bb2
// CHECK-NEXT: ^bb1:  // pred: ^bb2
// CHECK-NEXT: "d.use"(%0) : (i32) -> ()
// CHECK-NEXT: return
// CHECK-NEXT: ^bb2:  // pred: ^bb0
// CHECK-NEXT: %0 = "d.def"() : () -> i32
// CHECK-NEXT: cf.br ^bb1
func.func @f() {
  cf.br ^def
^use:
  "d.use"(%x) : (i32) -> ()
  return
^def:
  %x = "d.def"() : () -> i32
  cf.br ^use
}
