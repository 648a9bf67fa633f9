// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A type is an attribute.
// CHECK: {a = i32, b = (i32) -> (), c = tensor<?xf32>, d = !d.t, e = none, f = () -> (f32, f64)}
"d.op"() {a = i32, b = (i32) -> (), c = tensor<?xf32>, d = !d.t, e = none, f = () -> (f32, f64)} : () -> ()
