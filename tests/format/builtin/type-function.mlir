// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Function types: a single non-function result drops its parentheses.
// CHECK: [() -> (), () -> i32, (i32) -> (), (i32, f32) -> (i1, i2)]
"d.op"() {t = [() -> (), () -> (i32), (i32) -> (), (i32,f32)->(i1,i2)]} : () -> ()
