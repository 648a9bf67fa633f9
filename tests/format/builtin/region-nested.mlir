// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Regions within regions are indented by two.
// CHECK: {{^}}  "d.one"() ({
// CHECK-NEXT: {{^}}    "d.two"() ({
// CHECK-NEXT: {{^}}      "d.three"() ({
// CHECK-NEXT: {{^}}        "d.four"() : () -> ()
// CHECK-NEXT: {{^}}      }) : () -> ()
// CHECK-NEXT: {{^}}    }) : () -> ()
// CHECK-NEXT: {{^}}  }) : () -> ()
"d.one"() ({ "d.two"() ({ "d.three"() ({ "d.four"() : () -> () }) : () -> () }) : () -> () }) : () -> ()
