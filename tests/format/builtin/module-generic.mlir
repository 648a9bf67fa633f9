// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// The generic form needs its block; the name may stand in either dictionary.
// CHECK:      module @x attributes {a.b} {
// CHECK-NEXT: "d.op"() : () -> ()
// CHECK-NEXT: }
"builtin.module"() ({
^bb0:
  "d.op"() : () -> ()
}) {sym_name = "x", a.b} : () -> ()
