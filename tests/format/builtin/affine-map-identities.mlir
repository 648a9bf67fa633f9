// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Neutral and absorbing elements.
// CHECK: affine_map<(d0) -> (d0, d0, d0, 0, d0, d0, 0)>
"d.op"() {m = affine_map<(i) -> (i + 0, 0 + i, i * 1, i * 0, i floordiv 1, i ceildiv 1, i mod 1)>} : () -> ()
