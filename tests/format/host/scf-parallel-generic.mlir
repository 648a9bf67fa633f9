// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// scf.parallel and scf.reduce in generic form.
// GENERIC: %0 = "scf.parallel"(%arg0, %arg0, %arg0, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
// GENERIC-NEXT: ^bb0(%arg2: index):
// GENERIC-NEXT: "scf.reduce"(%arg1) ({
// GENERIC-NEXT: ^bb0(%arg3: f32, %arg4: f32):
// GENERIC-NEXT: "scf.reduce.return"(%arg3) : (f32) -> ()
// GENERIC-NEXT: }) : (f32) -> ()
// GENERIC-NEXT: }) : (index, index, index, f32) -> f32
func.func @f(%a: index, %x: f32) {
  %0 = "scf.parallel"(%a, %a, %a, %x) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%i: index):
    "scf.reduce"(%x) ({
    ^bb0(%l: f32, %r: f32):
      "scf.reduce.return"(%l) : (f32) -> ()
    }) : (f32) -> ()
  }) : (index, index, index, f32) -> f32
  return
}
