// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// The operators and their printed forms.
// CHECK: affine_map<(d0, d1)[s0] -> (d0 + d1, d0 - d1, d0 * 2, d0 * s0, d0 floordiv 3, d0 ceildiv 4, d0 mod 5, -d0, d0 + s0)>
"d.op"() {m = affine_map<(i, j)[s] -> (i + j, i - j, i * 2, i * s, i floordiv 3, i ceildiv 4, i mod 5, -i, i + s)>} : () -> ()
