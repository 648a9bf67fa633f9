// RUN: orison-opt --symbol-dce --split-input-file %s | FileCheck %s

// CHECK-NOT: @dead
// CHECK: @live
// CHECK: @used
// CHECK-NOT: @dead
func.func private @dead_caller() {
  call @dead_callee() : () -> ()
  return
}
func.func @live() {
  call @used() : () -> ()
  return
}
func.func private @used()
func.func private @dead_callee()

// -----

// CHECK: module @inner
// CHECK-NOT: @dead
// CHECK: @public
module @inner {
  func.func private @dead()
  func.func @public() {
    return
  }
}
