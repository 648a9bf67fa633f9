// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Any bare identifiers serve as names, even swapped canonical ones.
// CHECK: affine_map<(d0, d1) -> (d0, d1)>
// CHECK: affine_map<(d0, d1)[s0] -> (d1 + s0)>
"d.op"() {a = affine_map<(d1, d0) -> (d1, d0)>, b = affine_map<(s0, i32)[d0] -> (i32 + d0)>} : () -> ()
