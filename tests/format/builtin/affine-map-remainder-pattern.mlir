// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// `x - (x floordiv c) * c` is a remainder.
// CHECK: affine_map<(d0) -> (d0 mod 4)>
"d.op"() {m = affine_map<(i) -> (i - (i floordiv 4) * 4)>} : () -> ()
