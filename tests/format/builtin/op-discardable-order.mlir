// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Attributes are sorted by name.
// CHECK: {a = 1 : i64, b = 2 : i64, c.d = 3 : i64, z}
"d.op"() {z, c.d = 3, a = 1, b = 2} : () -> ()
