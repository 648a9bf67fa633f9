// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Several regions, separated by commas.
// CHECK:      "d.op"() ({
// CHECK-NEXT: "d.a"() : () -> ()
// CHECK-NEXT: }, {
// CHECK-NEXT: }, {
// CHECK-NEXT: "d.c"() : () -> ()
// CHECK-NEXT: "d.c"() : () -> ()
// CHECK-NEXT: }) : () -> ()
"d.op"() ({ "d.a"() : () -> () }, {}, { "d.c"() : () -> () "d.c"() : () -> () }) : () -> ()
