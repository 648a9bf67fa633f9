// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Branches with and without arguments.
// CHECK:      cf.br ^bb1(%arg0, %arg1 : i32, f32)
// CHECK-NEXT: ^bb1(%0: i32, %1: f32):  // pred: ^bb0
// CHECK-NEXT: cf.br ^bb2 {d.x}
// CHECK-NEXT: ^bb2:  // pred: ^bb1
// GENERIC: "cf.br"(%arg0, %arg1)[^bb1] : (i32, f32) -> ()
// GENERIC: "cf.br"()[^bb2] {d.x} : () -> ()
func.func @f(%a: i32, %b: f32) {
  cf.br ^one(%a, %b : i32, f32)
^one(%x: i32, %y: f32):
  cf.br ^two {d.x}
^two:
  return
}
