// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A layout with symbols, and one that splits a dimension.
// CHECK: affine_map<(d0)[s0, s1] -> (d0 * s0 + s1)>
// CHECK: affine_map<(d0, d1) -> (d0 floordiv 8, d1 floordiv 4, d0 mod 8, d1 mod 4)>
"d.op"() {a = memref<?xf32, affine_map<(i)[s, o] -> (i * s + o)>>, b = memref<64x64xf16, affine_map<(i, j) -> (i floordiv 8, j floordiv 4, i mod 8, j mod 4)>>} : () -> ()
