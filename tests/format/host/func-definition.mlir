// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Definitions: arguments, results, an attribute dictionary.
// CHECK:      func.func @f(%arg0: i32, %arg1: f32) -> (i32, f32) attributes {d.z} {
// CHECK-NEXT: return %arg0, %arg1 : i32, f32
// CHECK-NEXT: }
// GENERIC: "func.func"() <{function_type = (i32, f32) -> (i32, f32), sym_name = "f"}> ({
// GENERIC-NEXT: ^bb0(%arg0: i32, %arg1: f32):
// GENERIC-NEXT: "func.return"(%arg0, %arg1) : (i32, f32) -> ()
// GENERIC-NEXT: }) {d.z} : () -> ()
func.func @f(%a: i32, %b: f32) -> (i32, f32) attributes {d.z} {
  return %a, %b : i32, f32
}
