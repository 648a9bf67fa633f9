// Choices of instructions, uniform twins. Functions are named like the rules; `_not` is what a rule leaves alone.
//
// RUN: orison-opt --ori-peephole %s | FileCheck %s

// ori-uimad-power-to-lea: a product with a power of two
// CHECK-LABEL: @uimad_power_to_lea(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.ulea <shift = 3> %arg0, %arg1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @uimad_power_to_lea(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm 8 : !ori.ur
  %r = ori.uimad %a, %k, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uimad-power-to-lea: no match: lea inverts after the shift
// CHECK-LABEL: @uimad_power_to_lea_not(
// CHECK-NEXT: %0 = ori.imm 8 : !ori.ur
// CHECK-NEXT: %1 = ori.uimad not %arg0, %0, %arg1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @uimad_power_to_lea_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm 8 : !ori.ur
  %r = ori.uimad not %a, %k, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-add-to-lea: a shift and a sum
// CHECK-LABEL: @ushf_add_to_lea(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.ulea <shift = 3> %arg0, neg %arg1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ushf_add_to_lea(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 3 : !ori.ur
  %x = ori.ushf <left, u32> %a, %k, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.uiadd3 %x, neg %b, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-add-to-lea: no match: the result is the high half
// CHECK-LABEL: @ushf_add_to_lea_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.imm 3 : !ori.ur
// CHECK-NEXT: %2 = ori.ushf <left, u32, high> %arg0, %1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %3 = ori.uiadd3 %2, neg %arg1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %3 : !ori.ur
ori.func @ushf_add_to_lea_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 3 : !ori.ur
  %x = ori.ushf <left, u32, high> %a, %k, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.uiadd3 %x, neg %b, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}
