// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Inside an unregistered region, the numbering of an isolated region continues that of its parent.
// CHECK: "d.op"() ({
// CHECK-NEXT: %1 = "d.def"() : () -> i32
// CHECK-NEXT: func.func @f(%arg0: i32) {
// CHECK-NEXT: %2 = "d.inner"() : () -> i32
%0 = "d.def"() : () -> i32
"d.op"() ({
  %1 = "d.def"() : () -> i32
  func.func @f(%a: i32) {
    %z = "d.inner"() : () -> i32
    return
  }
}) : () -> ()
