// RUN: orison-opt --allow-unregistered-dialect --mlir-print-debuginfo %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --mlir-print-debuginfo %s | orison-opt --allow-unregistered-dialect --mlir-print-debuginfo | FileCheck %s

// An alias that only locations refer to is defined after the module. One that opaque text refers to,
// too, comes before it, with the aliases in its definition.

// CHECK: {{^}}#map = affine_map<(d0) -> (d0 + 1)>
// CHECK-NEXT: {{^}}#kept = distinct[0]<#map>
// CHECK-NEXT: module {
// CHECK-NEXT: "t.a"() : () -> () loc(#[[FUSED:loc[0-9]*]])
// CHECK-NEXT: "t.b"() {x = #foo.bar<#kept>}
// CHECK: #[[FUSED]] = loc(fused<#kept>[#{{loc[0-9]*}}])
#map = affine_map<(d0) -> (d0 + 1)>
#kept = distinct[0]<#map>
"t.a"() : () -> () loc(fused<#kept>["x":1:1])
"t.b"() {x = #foo.bar<#kept>} : () -> ()
