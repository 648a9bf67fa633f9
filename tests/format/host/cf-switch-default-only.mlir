// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Without cases the bracket closes on the default's line.
// CHECK:      cf.switch %arg0 : i8, [
// CHECK-NEXT: default: ^bb1(%arg0 : i8)]
// GENERIC: "cf.switch"(%arg0, %arg0)[^bb1] <{case_operand_segments = array<i32>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (i8, i8) -> ()
func.func @f(%a: i8) {
  cf.switch %a : i8, [default: ^end(%a : i8)]
^end(%x: i8):
  return
}
