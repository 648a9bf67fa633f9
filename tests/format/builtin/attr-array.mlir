// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Arrays, empty, mixed and nested.
// CHECK: {a = [], b = {{\[\[}}], {{\[\[}}]]], c = [1, "s", i32, @f, unit, {x}, [true]]}
"d.op"() {a = [], b = [[], [[]]], c = [1, "s", i32, @f, unit, {x}, [true]]} : () -> ()
