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

// -----

// References count wherever they are in attributes, and so does every symbol on their path.
// CHECK-LABEL: func.func @users
// CHECK: func.func private @in_array
// CHECK: func.func private @in_dictionary
// CHECK: func.func private @discardable
// CHECK: module @path
// CHECK-NEXT: func.func nested @inner
// CHECK-NOT: @other
// CHECK-NOT: @unused
func.func @users() attributes {d.array = [1, [@in_array]], d.dictionary = {key = @in_dictionary},
                               d.flat = @discardable, d.path = @path::@inner} {
  return
}
func.func private @in_array()
func.func private @in_dictionary()
func.func private @discardable()
module @path attributes {sym_visibility = "private"} {
  func.func nested @inner() { return }
  func.func nested @other() { return }
}
module @unused attributes {sym_visibility = "private"} {
  func.func @inside() { return }
}

// -----

// Dead functions that call themselves or each other go; a name that is a value is a use.
// CHECK-NOT: @recursive
// CHECK-NOT: @ping
// CHECK-NOT: @pong
// CHECK: func.func private @value
// CHECK: func.func @live
func.func private @recursive() {
  call @recursive() : () -> ()
  return
}
func.func private @ping() {
  call @pong() : () -> ()
  return
}
func.func private @pong() {
  call @ping() : () -> ()
  return
}
func.func private @value()
func.func @live() -> (() -> ()) {
  %0 = constant @value : () -> ()
  return %0 : () -> ()
}

// -----

// Nobody is outside of the outermost module: nested symbols are seen in it only.
// CHECK-NOT: nested
// CHECK: module @inner
// CHECK: func.func nested @called
// CHECK-NOT: @gone
// CHECK: module @hidden
// CHECK-NEXT: func.func @kept
// CHECK-NOT: nested
func.func nested @top() {
  return
}
module @inner {
  func.func nested @called() { return }
  func.func nested @gone() { return }
  func.func @caller() {
    call @called() : () -> ()
    return
  }
}
module @hidden attributes {sym_visibility = "private"} {
  func.func nested @invisible() { return }
  func.func @kept() { return }
}
func.func @user() attributes {d.user = @hidden} {
  return
}
