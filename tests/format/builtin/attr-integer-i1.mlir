// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// An i1 value prints as a Boolean.
// CHECK: {a = true, b = false, c = true, d = false, e = true}
"d.op"() {a = true, b = false, c = 1 : i1, d = 0 : i1, e = -1 : i1} : () -> ()
// CHECK: {a = 1 : ui1, b = -1 : si1}
"d.op"() {a = 1 : ui1, b = -1 : si1} : () -> ()
