// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Declarations have no body; argument names are dropped.
// CHECK:      func.func private @a()
// CHECK-NEXT: func.func private @b(i32, f32 {d.x}) -> i1
// CHECK-NEXT: func.func private @c(i32)
// CHECK-NEXT: func.func private @d() -> (i1, i2)
// CHECK-NEXT: func.func private @e() -> (() -> ())
// GENERIC: "func.func"() <{function_type = () -> (), sym_name = "a", sym_visibility = "private"}> ({
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: "func.func"() <{arg_attrs = [{}, {d.x}], function_type = (i32, f32) -> i1, sym_name = "b", sym_visibility = "private"}> ({
func.func private @a()
func.func private @b(i32, f32 {d.x}) -> i1
func.func private @c(%x: i32)
func.func private @d() -> (i1, i2)
func.func private @e() -> (() -> ())
