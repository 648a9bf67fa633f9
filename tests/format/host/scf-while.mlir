// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// The arguments of the 'after' region are in its label.
// CHECK:      %0 = scf.while (%arg2 = %arg0) : (i32) -> f32 {
// CHECK-NEXT: %1:2 = "d.c"(%arg2) : (i32) -> (i1, f32)
// CHECK-NEXT: scf.condition(%1#0) %1#1 : f32
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%arg2: f32):
// CHECK-NEXT: %1 = "d.n"(%arg2) : (f32) -> i32
// CHECK-NEXT: scf.yield %1 : i32
// CHECK-NEXT: } attributes {d.x}
// GENERIC: "scf.condition"(%{{[0-9]+}}#0, %{{[0-9]+}}#1) : (i1, f32) -> ()
func.func @f(%a: i32, %c: i1) {
  %0 = scf.while (%x = %a) : (i32) -> f32 {
    %v:2 = "d.c"(%x) : (i32) -> (i1, f32)
    scf.condition(%v#0) %v#1 : f32
  } do {
  ^bb0(%y: f32):
    %n = "d.n"(%y) : (f32) -> i32
    scf.yield %n : i32
  } attributes {d.x}
  return
}
