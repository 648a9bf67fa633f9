// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// An alias names one identity.
#id = distinct[0]<{tag = "t"}>
// CHECK: #distinct = distinct[0]<{tag = "t"}>
// CHECK-NOT: #distinct1
// CHECK: "d.op"() {a = #distinct} : () -> ()
// CHECK: "d.op"() {a = #distinct} : () -> ()
"d.op"() {a = #id} : () -> ()
"d.op"() {a = #id} : () -> ()
