// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Names of unregistered operations, with and without dots.
// CHECK: "d.a.b.c"() : () -> ()
"d.a.b.c"() : () -> ()
// CHECK: "nodialect"() : () -> ()
"nodialect"() : () -> ()
// CHECK: "d.odd name-1"() : () -> ()
"d.odd name-1"() : () -> ()
