// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Tuples, empty, single and nested.
// CHECK: -> tuple<>
%0 = "d.op"() : () -> tuple<>
// CHECK: -> tuple<i32>
%1 = "d.op"() : () -> tuple< i32 >
// CHECK: -> tuple<i32, tuple<f32, tuple<>>, (i1) -> i2>
%2 = "d.op"() : () -> tuple<i32,tuple<f32,tuple<>>,(i1)->i2>
