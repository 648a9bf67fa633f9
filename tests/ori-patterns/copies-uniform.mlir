// Copies, and parts of registers, uniform twins. Functions are named like the rules; `_not` is what a rule leaves alone.
//
// RUN: orison-opt --ori-peephole %s | FileCheck %s

// ori-umov-copy: the source is used
// CHECK-LABEL: @umov_copy(
// CHECK-NEXT: %0 = ori.uiadd3 %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @umov_copy(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %x = ori.umov %a : (!ori.ur) -> !ori.ur
  %r = ori.uiadd3 %x, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-umov-copy: no match: the guard provides a result for the other threads
// CHECK-LABEL: @umov_copy_not(
// CHECK-NEXT: %0 = ori.umov %arg0 if %arg7 else %arg1 : (!ori.ur, !ori.up, !ori.ur) -> !ori.ur
// CHECK-NEXT: %1 = ori.uiadd3 %0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @umov_copy_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %x = ori.umov %a if %p else %b : (!ori.ur, !ori.up, !ori.ur) -> !ori.ur
  %r = ori.uiadd3 %x, %b, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}
