// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Blocks are numbered in order of appearance, not of use.
// CHECK: "d.br"()[^bb2, ^bb1] : () -> ()
// CHECK-NEXT: ^bb1:  // pred: ^bb0
// CHECK-NEXT: "d.first"() : () -> ()
// CHECK-NEXT: ^bb2:  // pred: ^bb0
// CHECK-NEXT: "d.second"() : () -> ()
"d.op"() ({
  "d.br"()[^second, ^first] : () -> ()
^first:
  "d.first"() : () -> ()
^second:
  "d.second"() : () -> ()
}) : () -> ()
