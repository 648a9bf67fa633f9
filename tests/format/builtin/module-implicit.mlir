// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Operations outside a module are put into one.
// CHECK:      module {
// CHECK-NEXT: "d.a"() : () -> ()
// CHECK-NEXT: "d.b"() : () -> ()
// CHECK-NEXT: }
"d.a"() : () -> ()
"d.b"() : () -> ()
