// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Dominance does not constrain unreachable blocks.
// CHECK: ^bb1:  // no predecessors
// CHECK-NEXT: "d.use"(%0) : (i32) -> ()
// CHECK-NEXT: %0 = "d.def"() : () -> i32
func.func @f() {
  return
^dead:
  "d.use"(%x) : (i32) -> ()
  %x = "d.def"() : () -> i32
  return
}
