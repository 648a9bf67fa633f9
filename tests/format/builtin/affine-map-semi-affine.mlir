// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Symbols as divisors and multipliers.
// CHECK: affine_map<(d0)[s0, s1] -> (d0 floordiv s0, d0 ceildiv s1, d0 mod s0, (d0 + 1) * s0, s0 * s1)>
"d.op"() {m = affine_map<(i)[s, t] -> (i floordiv s, i ceildiv t, i mod s, (i + 1) * s, s * t)>} : () -> ()
