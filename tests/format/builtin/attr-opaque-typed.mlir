// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A foreign attribute may carry a type.
// CHECK: {a = #d<"x"> : i32, b = #d.y<z> : !d.t}
"d.op"() {a = #d<"x"> : i32, b = #d.y<z> : !d.t} : () -> ()
