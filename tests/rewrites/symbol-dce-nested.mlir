// RUN: orison-opt --allow-unregistered-dialect --pass-pipeline='builtin.module(builtin.module(symbol-dce))' %s | FileCheck %s

// The module around a public one can see its nested symbols, and refers to some of them; those of a private module are seen in it only.
// CHECK: module @open
// CHECK-NEXT: func.func nested @visible
// CHECK-NOT: @gone
// CHECK: module @closed
// CHECK-NOT: @invisible
// CHECK: func.func @kept
module @open {
  func.func nested @visible() { return }
  func.func private @gone() { return }
}
module @closed attributes {sym_visibility = "private"} {
  func.func nested @invisible() { return }
  func.func @kept() { return }
}
func.func @user() attributes {d.user = @open::@visible} {
  return
}
