// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Arguments of the entry block are named %arg, those of other blocks are numbered.
// CHECK: ^bb0(%arg0: i32):
// CHECK-NEXT: "d.br"(%arg0)[^bb1] : (i32) -> ()
// CHECK-NEXT: ^bb1(%0: i32, %1: !d.t):  // pred: ^bb0
// CHECK-NEXT: "d.end"(%1, %0) : (!d.t, i32) -> ()
"d.op"() ({
^entry(%x: i32):
  "d.br"(%x)[^next] : (i32) -> ()
^next(%y: i32, %z: !d.t):
  "d.end"(%z, %y) : (!d.t, i32) -> ()
}) : () -> ()
