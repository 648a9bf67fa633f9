// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Maps equal after simplification share one alias.
// CHECK: #map = affine_map<(d0) -> (d0 * 2)>
// CHECK-NOT: #map1
// CHECK: {a = #map, b = #map, c = #map}
"d.op"() {a = affine_map<(i) -> (i + i)>, b = affine_map<(j) -> (2 * j)>, c = affine_map<(d5) -> (d5 * 2)>} : () -> ()
