// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// index and none.
// CHECK: %0:2 = "d.op"() : () -> (index, none)
%0:2 = "d.op"() : () -> (index, none)
// CHECK: "d.use"(%0#1, %0#0) : (none, index) -> ()
"d.use"(%0#1, %0#0) : (none, index) -> ()
