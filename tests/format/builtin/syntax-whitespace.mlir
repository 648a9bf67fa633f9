// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// No spaces where none are required, and many where one suffices.
// CHECK:      %0 = "d.def"() {a = 1 : i32, b} : () -> i32
// CHECK-NEXT: "d.use"(%0, %0) {c} : (i32, i32) -> ()
%0="d.def"(){a=1:i32,b}:()->i32"d.use"(%0,%0){c}:(i32,i32)->()
// CHECK: "d.op"() {a} : () -> ()
	   "d.op"   (   )   {   a   }   :   (   )   ->   (   )   
