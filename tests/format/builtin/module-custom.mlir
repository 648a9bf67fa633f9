// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Modules with and without a name and attributes.
// CHECK:      module @m attributes {d.x = 1 : i64} {
// CHECK-NEXT: module {
// CHECK-NEXT: }
// CHECK-NEXT: module @in {
// CHECK-NEXT: }
// CHECK-NEXT: module attributes {a.b} {
// CHECK-NEXT: }
// CHECK-NEXT: }
// GENERIC: "builtin.module"() <{sym_name = "m"}> ({
// GENERIC-NEXT: "builtin.module"() ({
// GENERIC-NEXT: ^bb0:
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: "builtin.module"() <{sym_name = "in"}> ({
// GENERIC-NEXT: ^bb0:
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: "builtin.module"() ({
// GENERIC-NEXT: ^bb0:
// GENERIC-NEXT: }) {a.b} : () -> ()
// GENERIC-NEXT: }) {d.x = 1 : i64} : () -> ()
module @m attributes {d.x = 1} {
  module {}
  module @in {}
  builtin.module attributes {a.b} {}
}
