// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// The generic form requires its block; the name may be in either dictionary.
// CHECK:      module @x attributes {a.b} {
// CHECK-NEXT: "d.op"() : () -> ()
// CHECK-NEXT: }
"builtin.module"() ({
^bb0:
  "d.op"() : () -> ()
}) {sym_name = "x", a.b} : () -> ()
