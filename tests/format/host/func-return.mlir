// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Returns of zero, one and several values.
// CHECK: return{{$}}
// CHECK: return %arg0 : i32
// CHECK: return {d.x} %arg0, %arg0 : i32, i32
func.func @none() { return }
func.func @one(%a: i32) -> i32 { func.return %a : i32 }
func.func @two(%a: i32) -> (i32, i32) { return {d.x} %a, %a : i32, i32 }
