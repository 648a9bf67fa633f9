// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A function type that returns one function type keeps the parentheses.
// CHECK: [() -> (() -> i32), (() -> ()) -> (() -> ()), ((i1) -> i2) -> i3]
"d.op"() {t = [() -> (() -> i32), (() -> ()) -> (() -> ()), ((i1) -> i2) -> i3]} : () -> ()
// CHECK: %0 = "d.op"() : () -> (() -> i32)
%0 = "d.op"() : () -> (() -> i32)
// CHECK: %1 = "d.op"() : () -> ((i32) -> ())
%1 = "d.op"() : () -> ((i32) -> ())
