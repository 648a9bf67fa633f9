// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Indirect calls.
// CHECK: %0 = call_indirect %arg0(%arg1) : (i32) -> i32
// CHECK-NEXT: %1:2 = call_indirect %arg2() {d.x} : () -> (i1, i2)
// GENERIC: %0 = "func.call_indirect"(%arg0, %arg1) : ((i32) -> i32, i32) -> i32
func.func @f(%g: (i32) -> i32, %a: i32, %h: () -> (i1, i2)) {
  %0 = call_indirect %g(%a) : (i32) -> i32
  %1:2 = func.call_indirect %h() {d.x} : () -> (i1, i2)
  return
}
