// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Pretty foreign attributes keep their bodies.
// CHECK: {a = #d.x, b = #d.x<y = "z>", [1, 2]>, c = #d.x.y<(a) -> {b}>, d = #d.x<#e.y<1>>}
"d.op"() {a = #d.x, b = #d.x<y = "z>", [1, 2]>, c = #d.x.y<(a) -> {b}>, d = #d.x<#e.y<1>>} : () -> ()
