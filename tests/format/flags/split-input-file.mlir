// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Parts are printed with the separator between them.
// CHECK:      module {
// CHECK-NEXT: "d.a"() : () -> ()
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: // {{-----}}
// CHECK-NEXT: module {
// CHECK-NEXT: "d.b"() : () -> ()
"d.a"() : () -> ()
// -----
"d.b"() : () -> ()
