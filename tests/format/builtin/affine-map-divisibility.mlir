// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Quotients and remainders of known multiples.
// CHECK: affine_map<(d0, d1) -> (d0 * 2, d0 * 3 + 2, 0, d1 mod 4, d0 mod 4, 3)>
"d.op"() {m = affine_map<(i, j) -> ((i * 6) floordiv 3, (i * 6 + 4) floordiv 2, (i * 4) mod 4, (i * 8 + j) mod 4, (i mod 4) mod 4, (i * 8 + 3) mod 8)>} : () -> ()
