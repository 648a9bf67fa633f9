// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Sets: `==` and `>=`; the right side moves to the left, `<=` is reversed.
// CHECK: affine_set<(d0) : (d0 >= 0, d0 == 0)>
// CHECK: affine_set<(d0)[s0] : (-d0 + s0 >= 0, -d0 + s0 >= 0, d0 - 2 >= 0)>
// CHECK: affine_set<(d0) : (-d0 + 2 == 0)>
"d.op"() {a = affine_set<(i) : (i >= 0, i == 0)>, b = affine_set<(i)[n] : (i <= n, n >= i, i >= 2)>, c = affine_set<(i) : (2 == i)>} : () -> ()
