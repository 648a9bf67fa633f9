// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Locations are not printed unless asked for.
// CHECK-NOT: loc(
// CHECK: "d.op"() : () -> ()
"d.op"() : () -> () loc("x")
