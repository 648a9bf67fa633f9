// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Operands are ordered: dimensions, symbols, constants; lower positions first.
// CHECK: affine_map<(d0, d1)[s0] -> (d0 + 3, d0 * 2, d0 + s0, d0 * s0, d0 + d1, -d0 + 5, d0 - 5)>
"d.op"() {m = affine_map<(i, j)[s] -> (3 + i, 2 * i, s + i, s * i, j + i, 5 - i, -5 + i)>} : () -> ()
