// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// no_inline is a property that prints among the attributes.
// CHECK: func.func private @f() attributes {d.a, no_inline}
// GENERIC: <{function_type = () -> (), no_inline, sym_name = "f", sym_visibility = "private"}>
// GENERIC: {d.a} : () -> ()
func.func private @f() attributes {no_inline, d.a}
