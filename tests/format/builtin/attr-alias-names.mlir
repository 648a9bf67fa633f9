// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Alias names may contain digits, underscores and dollar signs.
#a1_$x = 1
#_b = 2
!t2_ = i8
// CHECK: {a = 1 : i64, b = 2 : i64, c = i8}
"d.op"() {a = #a1_$x, b = #_b, c = !t2_} : () -> ()
