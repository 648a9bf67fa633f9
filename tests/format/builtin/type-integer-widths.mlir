// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Signless integers of any width; the width has no leading zero.
// CHECK: "d.op"() : () -> i1
%0 = "d.op"() : () -> i1
// CHECK: "d.op"() : () -> i7
%1 = "d.op"() : () -> i7
// CHECK: "d.op"() : () -> i64
%2 = "d.op"() : () -> i64
// CHECK: "d.op"() : () -> i65
%3 = "d.op"() : () -> i65
// CHECK: "d.op"() : () -> i16777215
%4 = "d.op"() : () -> i16777215
