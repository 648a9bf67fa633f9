// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Foreign types in a signature.
// CHECK: func.func @f(%arg0: !d.t<1>, %arg1: tensor<2xf32, #d.x>) -> (!d<"y">, tuple<>) {
func.func @f(%a: !d.t<1>, %b: tensor<2xf32, #d.x>) -> (!d<"y">, tuple<>) {
  %0:2 = "d.op"(%a, %b) : (!d.t<1>, tensor<2xf32, #d.x>) -> (!d<"y">, tuple<>)
  return %0#0, %0#1 : !d<"y">, tuple<>
}
