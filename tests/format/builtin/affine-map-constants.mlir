// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Constant operands are folded: floordiv and mod round toward minus infinity, ceildiv up.
// CHECK: affine_map<() -> (3, -1, 12, 4, 3, -4, -3, 2, 1, -5)>
"d.op"() {m = affine_map<() -> (1 + 2, 1 - 2, 3 * 4, 7 ceildiv 2, 7 floordiv 2, -7 floordiv 2, -7 ceildiv 2, -7 mod 3, 7 mod 3, -5)>} : () -> ()
