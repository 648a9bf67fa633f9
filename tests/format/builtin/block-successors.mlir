// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Successors and the comments that list predecessors.
// CHECK:      "d.br"()[^bb1, ^bb1] : () -> ()
// CHECK-NEXT: ^bb1:  // 3 preds: ^bb0, ^bb0, ^bb1
// CHECK-NEXT: "d.br"()[^bb1, ^bb2] : () -> ()
// CHECK-NEXT: ^bb2:  // pred: ^bb1
// CHECK-NEXT: "d.end"() : () -> ()
// CHECK-NEXT: ^bb3:  // no predecessors
// CHECK-NEXT: "d.end"() : () -> ()
"d.op"() ({
  "d.br"()[^loop, ^loop] : () -> ()
^loop:
  "d.br"()[^loop, ^exit] : () -> ()
^exit:
  "d.end"() : () -> ()
^unreachable:
  "d.end"() : () -> ()
}) : () -> ()
