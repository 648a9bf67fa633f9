// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Calls: within a function the dialect's name is dropped.
// CHECK:      %0 = call @g(%arg0) : (i32) -> i32
// CHECK-NEXT: %1:2 = call @h(%0, %0) {d.x} : (i32, i32) -> (i1, i2)
// CHECK-NEXT: call @k() : () -> ()
// CHECK-NEXT: call @k() {no_inline} : () -> ()
// GENERIC: %0 = "func.call"(%arg0) <{callee = @g}> : (i32) -> i32
// GENERIC-NEXT: %1:2 = "func.call"(%0, %0) <{callee = @h}> {d.x} : (i32, i32) -> (i1, i2)
// GENERIC: "func.call"() <{callee = @k, no_inline}> : () -> ()
func.func private @g(i32) -> i32
func.func private @h(i32, i32) -> (i1, i2)
func.func private @k()
func.func @f(%a: i32) {
  %0 = call @g(%a) : (i32) -> i32
  %1:2 = func.call @h(%0, %0) {d.x} : (i32, i32) -> (i1, i2)
  call @k() : () -> ()
  func.call @k() {no_inline} : () -> ()
  return
}
