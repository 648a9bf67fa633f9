// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Dimensions and symbols are renamed by position; empty lists are legal.
// CHECK: affine_map<() -> ()>
// CHECK: affine_map<(d0) -> (d0)>
// CHECK: affine_map<()[s0] -> (s0)>
// CHECK: affine_map<(d0, d1)[s0, s1] -> (d1 + s1, d0 + s0)>
"d.op"() {a = affine_map<() -> ()>, b = affine_map<(i)[] -> (i)>, c = affine_map<()[n] -> (n)>, d = affine_map<(x, y)[p, q] -> (y + q, x + p)>} : () -> ()
