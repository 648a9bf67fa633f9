// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-local-scope %s | FileCheck %s --check-prefix=LOCAL

// The body of a foreign attribute is text, but the definitions of its aliases are kept; a number that
// is not part of an alias is unchanged.
// CHECK: #one = 1 : i8
// CHECK: {a = #d.x<#one>, b = 1 : i8}
// LOCAL: {a = #d.x<1 : i8>, b = 1 : i8}
#one = 1 : i8
"d.op"() {a = #d.x<#one>, b = #one} : () -> ()

// -----

// Definitions precede their uses, also for types; an alias in a string is not a use.
// CHECK: !t = tuple<i32>
// CHECK-NEXT: #s = "text"
// CHECK-NEXT: #inner = #d.inner<!t, #s>
// CHECK-NEXT: module
// CHECK: {a = #d.x<[#inner, "#unused", !t]>, t = !d.t<!t>}
// LOCAL: {a = #d.x<[#d.inner<tuple<i32>, "text">, "#unused", tuple<i32>]>, t = !d.t<tuple<i32>>}
#s = "text"
!t = tuple<i32>
#inner = #d.inner<!t, #s>
#unused = 2
"d.op"() {a = #d.x<[#inner, "#unused", !t]>, t = !d.t<!t>} : () -> ()

// -----

// Alias names used in a text are reserved; an equal definition is shared.
// CHECK-DAG: #map1 = affine_map<(d0) -> (d0 + 1)>
// CHECK-DAG: #map = affine_map<(d0) -> (d0 + 2)>
// CHECK: {m = #map, n = #map1, x = #d.x<#map1>}
// LOCAL: x = #d.x<affine_map<(d0) -> (d0 + 1)>>
#map1 = affine_map<(d0) -> (d0 + 1)>
"d.op"() {m = affine_map<(d0) -> (d0 + 2)>, n = #map1, x = #d.x<#map1>} : () -> ()

// -----

// Also in the properties of an undeclared operation.
// CHECK: #one = 5 : i8
// CHECK: <{p = [#d.x<#one>]}>
// LOCAL: <{p = [#d.x<5 : i8>]}>
#one = 5 : i8
"d.op"() <{p = [#d.x<#one>]}> : () -> ()

// -----

// An undefined alias is plain text.
// CHECK-NOT: #late =
// CHECK: #d.x<#late, !late>
"d.op"() {a = #d.x<#late, !late>} : () -> ()
#late = 1 : i8

// -----

// A location in a foreign body is printed without `loc`.
// CHECK: #here = loc("here")
// CHECK: {a = #d.x<loc(#here), #here>}
// LOCAL: {a = #d.x<loc("here"), loc("here")>}
#here = loc("here")
"d.op"() {a = #d.x<loc(#here), #here>} : () -> ()
