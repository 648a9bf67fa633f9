// Shifts and other movements of bits, uniform twins. Functions are named like the rules; `_not` is what a rule leaves alone.
//
// RUN: orison-opt --ori-peephole %s | FileCheck %s

// ori-ushf-left-zero: the result is the low half
// CHECK-LABEL: @ushf_left_zero(
// CHECK-NEXT: ori.ret %arg0 : !ori.ur
ori.func @ushf_left_zero(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %r = ori.ushf <left, u32> %a, %z, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-left-zero: no match: the amount is unknown
// CHECK-LABEL: @ushf_left_zero_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.ushf <left, u32> %arg0, %arg1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ushf_left_zero_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %r = ori.ushf <left, u32> %a, %b, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-high-zero: the result is the high half
// CHECK-LABEL: @ushf_high_zero(
// CHECK-NEXT: ori.ret %arg1 : !ori.ur
ori.func @ushf_high_zero(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %r = ori.ushf <right, u32, high> %a, %z, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-high-zero: no match: the registers are shifted
// CHECK-LABEL: @ushf_high_zero_not(
// CHECK-NEXT: %0 = ori.imm 1 : !ori.ur
// CHECK-NEXT: %1 = ori.ushf <right, u32, high> %arg0, %0, %arg1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ushf_high_zero_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 1 : !ori.ur
  %r = ori.ushf <right, u32, high> %a, %z, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-left-twice: the amounts are added
// CHECK-LABEL: @ushf_left_twice(
// CHECK-NEXT: %0 = ori.imm 8 : !ori.ur
// CHECK-NEXT: %1 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %2 = ori.ushf <left, u32> %arg0, %0, %1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %2 : !ori.ur
ori.func @ushf_left_twice(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 3 : !ori.ur
  %l = ori.imm 5 : !ori.ur
  %x = ori.ushf <left, u32> %a, %k, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ushf <left, u32> %x, %l, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-left-twice: no match: the amounts add up to more than 31
// CHECK-LABEL: @ushf_left_twice_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.imm 30 : !ori.ur
// CHECK-NEXT: %2 = ori.imm 5 : !ori.ur
// CHECK-NEXT: %3 = ori.ushf <left, u32> %arg0, %1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %4 = ori.ushf <left, u32> %3, %2, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %4 : !ori.ur
ori.func @ushf_left_twice_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 30 : !ori.ur
  %l = ori.imm 5 : !ori.ur
  %x = ori.ushf <left, u32> %a, %k, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ushf <left, u32> %x, %l, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-right-twice: the amounts are added
// CHECK-LABEL: @ushf_right_twice(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.imm 8 : !ori.ur
// CHECK-NEXT: %2 = ori.ushf <right, s32, high> %0, %1, %arg0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %2 : !ori.ur
ori.func @ushf_right_twice(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 3 : !ori.ur
  %l = ori.imm 5 : !ori.ur
  %x = ori.ushf <right, s32, high> %z, %k, %a : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ushf <right, s32, high> %z, %l, %x : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-right-twice: no match: one of them extends the sign
// CHECK-LABEL: @ushf_right_twice_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.imm 3 : !ori.ur
// CHECK-NEXT: %2 = ori.imm 5 : !ori.ur
// CHECK-NEXT: %3 = ori.ushf <right, s32, high> %0, %1, %arg0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %4 = ori.ushf <right, u32, high> %0, %2, %3 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %4 : !ori.ur
ori.func @ushf_right_twice_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 3 : !ori.ur
  %l = ori.imm 5 : !ori.ur
  %x = ori.ushf <right, s32, high> %z, %k, %a : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ushf <right, u32, high> %z, %l, %x : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-funnel-sum: a rotation
// CHECK-LABEL: @ushf_funnel_sum(
// CHECK-NEXT: %0 = ori.imm 8 : !ori.ur
// CHECK-NEXT: %1 = ori.ushf <left, u32, high, wrap> %arg0, %0, %arg0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ushf_funnel_sum(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 8 : !ori.ur
  %l = ori.imm 24 : !ori.ur
  %x = ori.ushf <left, u32> %a, %k, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %y = ori.ushf <right, u32, high> %z, %l, %a : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.uiadd3 %x, %y, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-funnel-sum: no match: the amounts do not add up to 32
// CHECK-LABEL: @ushf_funnel_sum_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.imm 23 : !ori.ur
// CHECK-NEXT: %2 = ori.ushf <right, u32, high> %0, %1, %arg0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %3 = ori.ulea <shift = 8> %arg0, %2, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %3 : !ori.ur
ori.func @ushf_funnel_sum_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 8 : !ori.ur
  %l = ori.imm 23 : !ori.ur
  %x = ori.ushf <left, u32> %a, %k, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %y = ori.ushf <right, u32, high> %z, %l, %a : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.uiadd3 %x, %y, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-funnel-or: two registers shifted as one
// CHECK-LABEL: @ushf_funnel_or(
// CHECK-NEXT: %0 = ori.imm 8 : !ori.ur
// CHECK-NEXT: %1 = ori.ushf <left, u32, high, wrap> %arg1, %0, %arg0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ushf_funnel_or(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 8 : !ori.ur
  %l = ori.imm 24 : !ori.ur
  %x = ori.ushf <left, u32> %a, %k, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %y = ori.ushf <right, u32, high> %z, %l, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ulop3 <lut = 252> %x, %y, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-funnel-or: no match: the operation does not combine the halves
// CHECK-LABEL: @ushf_funnel_or_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.imm 8 : !ori.ur
// CHECK-NEXT: %2 = ori.imm 24 : !ori.ur
// CHECK-NEXT: %3 = ori.ushf <left, u32> %arg0, %1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %4 = ori.ushf <right, u32, high> %0, %2, %arg1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %5 = ori.ulop3 <lut = 192> %3, %4, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %5 : !ori.ur
ori.func @ushf_funnel_or_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 8 : !ori.ur
  %l = ori.imm 24 : !ori.ur
  %x = ori.ushf <left, u32> %a, %k, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %y = ori.ushf <right, u32, high> %z, %l, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ulop3 <lut = 192> %x, %y, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-funnel-or-turned: the same with the terms exchanged
// CHECK-LABEL: @ushf_funnel_or_turned(
// CHECK-NEXT: %0 = ori.imm 8 : !ori.ur
// CHECK-NEXT: %1 = ori.ushf <left, u32, high, wrap> %arg1, %0, %arg0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ushf_funnel_or_turned(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 8 : !ori.ur
  %l = ori.imm 24 : !ori.ur
  %x = ori.ushf <left, u32> %a, %k, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %y = ori.ushf <right, u32, high> %z, %l, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ulop3 <lut = 60> %y, %x, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-funnel-or-turned: no match: the sign is extended
// CHECK-LABEL: @ushf_funnel_or_turned_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.imm 8 : !ori.ur
// CHECK-NEXT: %2 = ori.imm 24 : !ori.ur
// CHECK-NEXT: %3 = ori.ushf <left, u32> %arg0, %1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %4 = ori.ushf <right, s32, high> %0, %2, %arg1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %5 = ori.ulop3 <lut = 60> %4, %3, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %5 : !ori.ur
ori.func @ushf_funnel_or_turned_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 8 : !ori.ur
  %l = ori.imm 24 : !ori.ur
  %x = ori.ushf <left, u32> %a, %k, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %y = ori.ushf <right, s32, high> %z, %l, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ulop3 <lut = 60> %y, %x, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-funnel-or-low: the high half of the right shift is zero
// CHECK-LABEL: @ushf_funnel_or_low(
// CHECK-NEXT: %0 = ori.imm 8 : !ori.ur
// CHECK-NEXT: %1 = ori.ushf <left, u32, high, wrap> %arg1, %0, %arg0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ushf_funnel_or_low(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 8 : !ori.ur
  %l = ori.imm 24 : !ori.ur
  %x = ori.ushf <left, u32> %a, %k, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %y = ori.ushf <right, u32> %b, %l, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ulop3 <lut = 252> %x, %y, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-funnel-or-low: no match: bits of a third register
// CHECK-LABEL: @ushf_funnel_or_low_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.imm 8 : !ori.ur
// CHECK-NEXT: %2 = ori.imm 24 : !ori.ur
// CHECK-NEXT: %3 = ori.ushf <left, u32> %arg0, %1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %4 = ori.ushf <right, u32> %arg1, %2, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %5 = ori.ulop3 <lut = 252> %3, %4, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %5 : !ori.ur
ori.func @ushf_funnel_or_low_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 8 : !ori.ur
  %l = ori.imm 24 : !ori.ur
  %x = ori.ushf <left, u32> %a, %k, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %y = ori.ushf <right, u32> %b, %l, %c : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ulop3 <lut = 252> %x, %y, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-funnel-or-low-turned: the same with the terms exchanged
// CHECK-LABEL: @ushf_funnel_or_low_turned(
// CHECK-NEXT: %0 = ori.imm 8 : !ori.ur
// CHECK-NEXT: %1 = ori.ushf <left, u32, high, wrap> %arg1, %0, %arg0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ushf_funnel_or_low_turned(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 8 : !ori.ur
  %l = ori.imm 24 : !ori.ur
  %x = ori.ushf <left, u32> %a, %k, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %y = ori.ushf <right, u32> %b, %l, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ulop3 <lut = 252> %y, %x, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ushf-funnel-or-low-turned: no match: one of the operands has another use
// CHECK-LABEL: @ushf_funnel_or_low_turned_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.imm 8 : !ori.ur
// CHECK-NEXT: %2 = ori.imm 24 : !ori.ur
// CHECK-NEXT: %3 = ori.ushf <left, u32> %arg0, %1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %4 = ori.ushf <right, u32> %arg1, %2, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %5 = ori.ulop3 <lut = 252> %4, %3, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %6 = ori.upopc %3 : (!ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %5, %6 : !ori.ur, !ori.ur
ori.func @ushf_funnel_or_low_turned_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur, !ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 8 : !ori.ur
  %l = ori.imm 24 : !ori.ur
  %x = ori.ushf <left, u32> %a, %k, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %y = ori.ushf <right, u32> %b, %l, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.ulop3 <lut = 252> %y, %x, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %s = ori.upopc %x : (!ori.ur) -> !ori.ur
  ori.ret %r, %s : !ori.ur, !ori.ur
}

// ori-ulea-zero: shift by zero
// CHECK-LABEL: @ulea_zero(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.uiadd3 %arg0, neg %arg1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ulea_zero(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %r = ori.ulea <shift = 0> %a, neg %b, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulea-zero: no match: the shift is not zero
// CHECK-LABEL: @ulea_zero_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.ulea <shift = 1> %arg0, neg %arg1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ulea_zero_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %r = ori.ulea <shift = 1> %a, neg %b, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulea-constant: the term is known
// CHECK-LABEL: @ulea_constant(
// CHECK-NEXT: %0 = ori.imm 80 : !ori.ur
// CHECK-NEXT: %1 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %2 = ori.uiadd3 %arg1, %0, %1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %2 : !ori.ur
ori.func @ulea_constant(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 5 : !ori.ur
  %r = ori.ulea <shift = 4> %k, %b, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ulea-constant: no match: the term is inverted after the shift
// CHECK-LABEL: @ulea_constant_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.imm 5 : !ori.ur
// CHECK-NEXT: %2 = ori.ulea <shift = 4> not %1, %arg1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %2 : !ori.ur
ori.func @ulea_constant_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 5 : !ori.ur
  %r = ori.ulea <shift = 4> not %k, %b, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ubrev-twice: the order is as before
// CHECK-LABEL: @ubrev_twice(
// CHECK-NEXT: ori.ret %arg0 : !ori.ur
ori.func @ubrev_twice(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %x = ori.ubrev %a : (!ori.ur) -> !ori.ur
  %r = ori.ubrev %x : (!ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-ubrev-twice: no match: only one operation reverses bits
// CHECK-LABEL: @ubrev_twice_not(
// CHECK-NEXT: %0 = ori.upopc %arg0 : (!ori.ur) -> !ori.ur
// CHECK-NEXT: %1 = ori.ubrev %0 : (!ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @ubrev_twice_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %x = ori.upopc %a : (!ori.ur) -> !ori.ur
  %r = ori.ubrev %x : (!ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uprmt-first: the bytes of the first register
// CHECK-LABEL: @uprmt_first(
// CHECK-NEXT: ori.ret %arg0 : !ori.ur
ori.func @uprmt_first(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm 12816 : !ori.ur
  %r = ori.uprmt <idx> %a, %k, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uprmt-first: no match: a byte differs
// CHECK-LABEL: @uprmt_first_not(
// CHECK-NEXT: %0 = ori.imm 12817 : !ori.ur
// CHECK-NEXT: %1 = ori.uprmt <idx> %arg0, %0, %arg1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @uprmt_first_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm 12817 : !ori.ur
  %r = ori.uprmt <idx> %a, %k, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uprmt-second: the bytes of the second register
// CHECK-LABEL: @uprmt_second(
// CHECK-NEXT: ori.ret %arg1 : !ori.ur
ori.func @uprmt_second(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm 30292 : !ori.ur
  %r = ori.uprmt <idx> %a, %k, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uprmt-second: no match: a different selector
// CHECK-LABEL: @uprmt_second_not(
// CHECK-NEXT: %0 = ori.imm 30292 : !ori.ur
// CHECK-NEXT: %1 = ori.uprmt <rc8> %arg0, %0, %arg1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @uprmt_second_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm 30292 : !ori.ur
  %r = ori.uprmt <rc8> %a, %k, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}
