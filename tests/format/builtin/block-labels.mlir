// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Block names follow the rules of value names and are not kept.
// CHECK: "d.br"()[^bb1, ^bb2] : () -> ()
// CHECK: ^bb1:
// CHECK: ^bb2:
"d.op"() ({
^0:
  "d.br"()[^a.b$c-d, ^_7] : () -> ()
^a.b$c-d:
  "d.end"() : () -> ()
^_7:
  "d.end"() : () -> ()
}) : () -> ()
