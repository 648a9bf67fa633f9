// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A region without blocks, and one with an empty block, differ.
// CHECK:      "d.op"() ({
// CHECK-NEXT: }) : () -> ()
// CHECK-NEXT: "d.op"() ({
// CHECK-NEXT: ^bb0:
// CHECK-NEXT: }) : () -> ()
"d.op"() ({}) : () -> ()
"d.op"() ({ ^only: }) : () -> ()
