// Dead symbols are erased as by mlir-opt.
// REQUIRES: mlir-opt
// RUN: orison-opt --allow-unregistered-dialect --symbol-dce %s | mlir-opt --allow-unregistered-dialect --mlir-print-op-generic -o %t.ours
// RUN: mlir-opt --allow-unregistered-dialect --symbol-dce --mlir-print-op-generic %s -o %t.theirs
// RUN: diff %t.theirs %t.ours

func.func private @dead()
func.func private @dead_caller() {
  call @dead() : () -> ()
  return
}
func.func private @used()
func.func @public() {
  call @used() : () -> ()
  return
}
func.func nested @nested()
func.func private @recursive() {
  call @recursive() : () -> ()
  return
}
module @inner {
  func.func private @dead()
  func.func nested @nested()
  func.func private @used_from_outside()
  func.func @public() {
    return
  }
}
func.func private @constant()
func.func @value() -> (() -> ()) {
  %f = constant @constant : () -> ()
  return %f : () -> ()
}
module @gone attributes {sym_visibility = "private"} {
  func.func @public() {
    return
  }
}
func.func @attribute() attributes {refers.to = [@noted, {deep = @inner::@used_from_outside}]} {
  return
}
func.func private @noted()
