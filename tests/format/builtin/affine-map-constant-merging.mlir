// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Constants are combined across nested sums and products.
// CHECK: affine_map<(d0) -> (d0 + 9, d0 * 6, d0 + 1, d0 * 8, d0 * 2, 0, 0)>
"d.op"() {m = affine_map<(i) -> ((i + 4) + 5, (i * 2) * 3, (i + 3) - 2, i * 3 + i * 5, i + i, i - i, -i + i)>} : () -> ()
