// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Conditional branches: arguments on either side, both edges to one block.
// CHECK:      cf.cond_br %arg0, ^bb1(%arg1 : i32), ^bb2
// CHECK: cf.cond_br %arg0, ^bb2, ^bb1(%0 : i32) {d.x}
// CHECK: cf.cond_br %arg0, ^bb3(%arg1, %arg1 : i32, i32), ^bb3(%arg1, %arg1 : i32, i32)
// CHECK: ^bb3(%1: i32, %2: i32):  // 2 preds: ^bb2, ^bb2
// GENERIC: "cf.cond_br"(%arg0, %arg1)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, i32) -> ()
func.func @f(%c: i1, %a: i32) {
  cf.cond_br %c, ^one(%a : i32), ^two
^one(%x: i32):
  cf.cond_br %c, ^two, ^one(%x : i32) {d.x}
^two:
  cf.cond_br %c, ^three(%a, %a : i32, i32), ^three(%a, %a : i32, i32)
^three(%y: i32, %z: i32):
  return
}
