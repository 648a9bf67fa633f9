// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// One case per line.
// CHECK:      cf.switch %arg0 : i32, [
// CHECK-NEXT: default: ^bb1,
// CHECK-NEXT: 1: ^bb2(%arg0 : i32),
// CHECK-NEXT: 42: ^bb1
// CHECK-NEXT: ] {d.x}
// GENERIC: "cf.switch"(%arg0, %arg0)[^bb1, ^bb2, ^bb1] <{case_operand_segments = array<i32: 1, 0>, case_values = dense<[1, 42]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 1>}> {d.x} : (i32, i32) -> ()
func.func @f(%a: i32) {
  cf.switch %a : i32, [
    default: ^one,
    1: ^two(%a : i32),
    42: ^one
  ] {d.x}
^one:
  return
^two(%x: i32):
  return
}
