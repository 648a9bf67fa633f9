// Choices of instructions. Functions are named like the rules; `_not` is what a rule leaves alone.
//
// RUN: orison-opt --ori-peephole %s | FileCheck %s

// ori-imad-power-to-lea: a product with a power of two
// CHECK-LABEL: @imad_power_to_lea(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.lea <shift = 3> %arg0, %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @imad_power_to_lea(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 8 : !ori.r
  %r = ori.imad %a, %k, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-imad-power-to-lea: no match: lea inverts after the shift
// CHECK-LABEL: @imad_power_to_lea_not(
// CHECK-NEXT: %0 = ori.imm 8 : !ori.r
// CHECK-NEXT: %1 = ori.imad not %arg0, %0, %arg1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @imad_power_to_lea_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 8 : !ori.r
  %r = ori.imad not %a, %k, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-add-to-lea: a shift and a sum
// CHECK-LABEL: @shf_add_to_lea(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.lea <shift = 3> %arg0, neg %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @shf_add_to_lea(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 3 : !ori.r
  %x = ori.shf <left, u32> %a, %k, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.iadd3 %x, neg %b, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-add-to-lea: no match: the result is the high half
// CHECK-LABEL: @shf_add_to_lea_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.imm 3 : !ori.r
// CHECK-NEXT: %2 = ori.shf <left, u32, high> %arg0, %1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %3 = ori.iadd3 %2, neg %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %3 : !ori.r
ori.func @shf_add_to_lea_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 3 : !ori.r
  %x = ori.shf <left, u32, high> %a, %k, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.iadd3 %x, neg %b, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}
