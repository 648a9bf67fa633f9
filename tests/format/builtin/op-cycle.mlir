// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Two operations use one another's results.
// CHECK:      %0 = "d.op"(%1) : (i32) -> i32
// CHECK-NEXT: %1 = "d.op"(%0) : (i32) -> i32
%a = "d.op"(%b) : (i32) -> i32
%b = "d.op"(%a) : (i32) -> i32
