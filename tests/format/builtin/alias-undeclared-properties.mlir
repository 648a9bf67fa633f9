// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Properties of an undeclared operation define no alias, but are printed with the aliases of
// attributes.
// CHECK:      #loc = loc("v":1:1)
// CHECK-NEXT: #map = affine_map<(d0) -> (d0)>
// CHECK-NOT:  #
// CHECK:      "d.a"() <{l = loc("w":7:7), m = #map, n = affine_map<(d0) -> (d0 + 1)>}> : () -> ()
// CHECK-NEXT: "d.b"() {l = #loc, m = #map} : () -> ()
"d.a"() <{l = loc("w":7:7), m = affine_map<(d0) -> (d0)>, n = affine_map<(d0) -> (d0 + 1)>}> : () -> ()
"d.b"() {l = loc("v":1:1), m = affine_map<(d0) -> (d0)>} : () -> ()

// -----

// Distinct attributes are numbered as they are written: aliases first.
// CHECK:      #distinct = distinct[0]<5 : i32>
// CHECK:      "d.a"() {a = distinct[1]<>} : () -> ()
// CHECK-NEXT: "d.b"() {a = #distinct} : () -> ()
"d.a"() {a = distinct[7]<>} : () -> ()
"d.b"() {a = distinct[3]<5 : i32>} : () -> ()
