// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// %arg numbers continue through nested regions and restart in siblings.
// CHECK: ^bb0(%arg0: i32):
// CHECK: ^bb0(%arg1: i32):
// CHECK: }, {
// CHECK: ^bb0(%arg1: f32):
"d.op"() ({
^bb0(%x: i32):
  "d.op"() ({
  ^bb0(%y: i32):
    "d.end"() : () -> ()
  }, {
  ^bb0(%y: f32):
    "d.end"() : () -> ()
  }) : () -> ()
}) : () -> ()
