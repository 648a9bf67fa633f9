// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Bounds of a tile.
#tile = affine_set<(i, j)[n] : (i >= 0, n - i - 1 >= 0, j mod 4 == 0, i + j <= 2 * n)>
// CHECK: #set = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 mod 4 == 0, -(d0 + d1) + s0 * 2 >= 0)>
// CHECK: {s = #set}
"d.op"() {s = #tile} : () -> ()
