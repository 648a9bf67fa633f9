// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Attributes of arguments and of results; one result with attributes keeps its parentheses.
// CHECK: func.func @f(%arg0: i32 {d.a = 1 : i64, d.b = "x"}, %arg1: i32) -> (i32 {d.r}) {
// CHECK: func.func private @g(i32, i32 {d.a}) -> (i1, i2 {d.s = [1]})
// GENERIC: arg_attrs = [{d.a = 1 : i64, d.b = "x"}, {}], function_type = (i32, i32) -> i32, res_attrs = [{d.r}]
// GENERIC: arg_attrs = [{}, {d.a}], function_type = (i32, i32) -> (i1, i2), res_attrs = [{}, {d.s = [1]}]
func.func @f(%a: i32 {d.b = "x", d.a = 1}, %b: i32 {}) -> (i32 {d.r}) {
  return %a : i32
}
func.func private @g(i32, i32 {d.a}) -> (i1, i2 {d.s = [1]})
