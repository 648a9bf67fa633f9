// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A string may carry a type.
// CHECK: {a = "x" : i32, b = "y" : !d.s, c = "z"}
"d.op"() {a = "x" : i32, b = "y" : !d.s, c = "z" : none} : () -> ()
