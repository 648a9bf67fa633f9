// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A location is an attribute too, aliased even without debug info.
// CHECK:      #loc = loc("a")
// CHECK-NEXT: #loc1 = loc("f.c":1:2)
// CHECK: {x = #loc, y = #loc1}
"d.op"() {x = loc("a"), y = loc("f.c":1:2)} : () -> ()
