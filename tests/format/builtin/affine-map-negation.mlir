// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Multiplication by -1 prints as a sign.
// CHECK: affine_map<(d0, d1) -> (-d0, -d0, -(d0 + 1), -d0 + d1, d0 - (d0 + d1) floordiv 2)>
"d.op"() {m = affine_map<(i, j) -> (-i, i * -1, -(i + 1), -i + j, i - ((i + j) floordiv 2))>} : () -> ()
