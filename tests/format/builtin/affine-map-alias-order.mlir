// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Aliases are numbered in order of first use, regardless of their input names.
#map5 = affine_map<(d0) -> (d0 + 9)>
#last = affine_map<(d0) -> (d0 + 7)>
// CHECK:      #map = affine_map<(d0) -> (d0 + 7)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> (d0 + 9)>
// CHECK: {a = #map, b = #map1}
"d.op"() {a = #last, b = #map5} : () -> ()
