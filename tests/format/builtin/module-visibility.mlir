// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// A module's visibility is an attribute.
// CHECK: module @x attributes {sym_visibility = "private"} {
// GENERIC: "builtin.module"() <{sym_name = "x", sym_visibility = "private"}> ({
module @x attributes {sym_visibility = "private"} {}
