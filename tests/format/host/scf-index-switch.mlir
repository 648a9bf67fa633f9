// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Cases by index, with and without results.
// CHECK:      %0 = scf.index_switch %arg0 -> i32{{ ?$}}
// CHECK-NEXT: case 2 {
// CHECK-NEXT: scf.yield %arg1 : i32
// CHECK-NEXT: }
// CHECK-NEXT: case -5 {
// CHECK-NEXT: scf.yield %arg2 : i32
// CHECK-NEXT: }
// CHECK-NEXT: default {
// CHECK-NEXT: scf.yield %arg1 : i32
// CHECK-NEXT: }
// CHECK-NEXT: scf.index_switch %arg0 {d.x}{{ ?$}}
// CHECK-NEXT: default {
// CHECK-NEXT: }
// GENERIC: "scf.index_switch"(%arg0) <{cases = array<i64: 2, -5>}> ({
// GENERIC: "scf.index_switch"(%arg0) <{cases = array<i64>}> ({
func.func @f(%i: index, %a: i32, %b: i32) {
  %0 = scf.index_switch %i -> i32
  case 2 {
    scf.yield %a : i32
  }
  case -5 {
    scf.yield %b : i32
  }
  default {
    scf.yield %a : i32
  }
  scf.index_switch %i {d.x}
  default {
    scf.yield
  }
  return
}
