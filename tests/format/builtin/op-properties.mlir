// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Properties are any attribute; those of an unregistered operation are kept apart from its attributes.
// CHECK: "d.op"() <{a = 1 : i64, b = "x"}> {c} : () -> ()
"d.op"() <{b = "x", a = 1}> {c} : () -> ()
// CHECK: "d.op"() <{}> : () -> ()
"d.op"() <{}> {} : () -> ()
// CHECK: "d.op"() <[1, 2]> : () -> ()
"d.op"() <[1, 2]> : () -> ()
// CHECK: "d.op"() <"x"> : () -> ()
"d.op"() <"x"> : () -> ()
