// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// The prefix is dropped directly inside a function, and kept inside another operation's region.
// CHECK: call @f() : () -> ()
// CHECK: scf.execute_region {
// CHECK-NEXT: func.call @f() : () -> ()
func.func @f() {
  func.call @f() : () -> ()
  scf.execute_region {
    func.call @f() : () -> ()
    scf.yield
  }
  return
}
