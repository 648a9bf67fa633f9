// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Operations with zero or negative divisors are not simplified.
// CHECK: affine_map<(d0) -> (d0 floordiv 0, d0 mod 0, d0 floordiv -3, d0 ceildiv -2, d0 mod -3)>
"d.op"() {m = affine_map<(i) -> (i floordiv 0, i mod 0, i floordiv -3, i ceildiv -2, i mod -3)>} : () -> ()
