// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A set without constraints has the constraint 0 == 0.
// CHECK: affine_set<() : (0 == 0)>
"d.op"() {a = affine_set<() : ()>} : () -> ()
// -----
// CHECK: affine_set<(d0) : (1 == 0)>
"d.op"() {a = affine_set<(i) : (1 == 0)>} : () -> ()
