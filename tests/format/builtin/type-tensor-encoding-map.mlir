// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A map as an encoding is an alias in the module's header.
// CHECK: #map = affine_map<(d0, d1) -> (d1, d0)>
// CHECK: tensor<?x?xf32, #map>
"d.op"() {t = tensor<?x?xf32, affine_map<(i, j) -> (j, i)>>} : () -> ()
