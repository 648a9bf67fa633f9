// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A loop over integers prints its type after two spaces.
// CHECK: scf.for %arg1 = %arg0 to %arg0 step %arg0  : i32 {
// CHECK: %0 = scf.for %arg1 = %arg0 to %arg0 step %arg0 iter_args(%arg2 = %arg0) -> (i32)  : i32 {
func.func @f(%a: i32) {
  scf.for %i = %a to %a step %a : i32 {}
  %0 = scf.for %i = %a to %a step %a iter_args(%x = %a) -> (i32) : i32 {
    scf.yield %i : i32
  }
  return
}
