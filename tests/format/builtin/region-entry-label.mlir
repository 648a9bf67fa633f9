// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// The entry block's label is printed only for its arguments.
// CHECK:      "d.op"() ({
// CHECK-NEXT: "d.end"() : () -> ()
// CHECK-NEXT: }) : () -> ()
"d.op"() ({ ^start: "d.end"() : () -> () }) : () -> ()
// CHECK:      "d.op"() ({
// CHECK-NEXT: ^bb0(%arg0: i32, %arg1: tensor<?xf32>):
// CHECK-NEXT: "d.end"(%arg0) : (i32) -> ()
// CHECK-NEXT: }) : () -> ()
"d.op"() ({ ^start(%x: i32, %y: tensor<?xf32>): "d.end"(%x) : (i32) -> () }) : () -> ()
