// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// References to functions as values, named %f.
// CHECK:      %f = constant @g : (i32) -> i32
// CHECK-NEXT: %f_0 = constant {d.x} @h : () -> (i1, i2)
// GENERIC: %0 = "func.constant"() <{value = @g}> : () -> ((i32) -> i32)
// GENERIC-NEXT: %1 = "func.constant"() <{value = @h}> {d.x} : () -> (() -> (i1, i2))
func.func private @g(i32) -> i32
func.func private @h() -> (i1, i2)
func.func @f() {
  %0 = constant @g : (i32) -> i32
  %1 = func.constant {d.x} @h : () -> (i1, i2)
  return
}
