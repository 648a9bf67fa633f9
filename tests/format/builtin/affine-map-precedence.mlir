// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// `*`, `floordiv`, `ceildiv` and `mod` bind more tightly than `+` and `-`.
// CHECK: affine_map<(d0, d1) -> (d0 + d1 * 2, (d0 + d1) * 2, (d0 + d1) floordiv 2, d0 mod 3 + d1, (d0 - d1) mod 3, d0 - d1 * 2)>
"d.op"() {m = affine_map<(i, j) -> (i + j * 2, (i + j) * 2, (i + j) floordiv 2, i mod 3 + j, (i - j) mod 3, i - j * 2)>} : () -> ()
