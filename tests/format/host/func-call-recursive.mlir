// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// A function calls itself and a later function.
// CHECK: %0 = call @f(%arg0) : (i32) -> i32
// CHECK-NEXT: %1 = call @later(%0) : (i32) -> i32
func.func @f(%a: i32) -> i32 {
  %0 = call @f(%a) : (i32) -> i32
  %1 = call @later(%0) : (i32) -> i32
  return %1 : i32
}
func.func private @later(i32) -> i32
