// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Operations need no separator.
// CHECK:      "d.a"() : () -> ()
// CHECK-NEXT: "d.b"() : () -> ()
// CHECK-NEXT: %0 = "d.c"() : () -> i32
// CHECK-NEXT: "d.d"(%0) : (i32) -> ()
"d.a"() : () -> () "d.b"() : () -> () %x = "d.c"() : () -> i32 "d.d"(%x) : (i32) -> ()
