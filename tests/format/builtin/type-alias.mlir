// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Type aliases are expanded when read.
!i = i32
!f = (!i) -> !i
!nested = tuple<!i, !f>
// CHECK: "d.op"() {t = (i32) -> i32} : () -> tuple<i32, (i32) -> i32>
%0 = "d.op"() {t = !f} : () -> !nested
// CHECK: "d.use"(%0) : (tuple<i32, (i32) -> i32>) -> vector<4xi32>
%1 = "d.use"(%0) : (!nested) -> vector<4x!i>
