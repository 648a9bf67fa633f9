// Shifts and other movements of bits. Functions are named like the rules; `_not` is what a rule leaves alone.
//
// RUN: orison-opt --ori-peephole %s | FileCheck %s

// ori-shf-left-zero: the result is the low half
// CHECK-LABEL: @shf_left_zero(
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @shf_left_zero(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %r = ori.shf <left, u32> %a, %z, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-left-zero: no match: the amount is unknown
// CHECK-LABEL: @shf_left_zero_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.shf <left, u32> %arg0, %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @shf_left_zero_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %r = ori.shf <left, u32> %a, %b, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-high-zero: the result is the high half
// CHECK-LABEL: @shf_high_zero(
// CHECK-NEXT: ori.ret %arg1 : !ori.r
ori.func @shf_high_zero(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %r = ori.shf <right, u32, high> %a, %z, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-high-zero: no match: the registers are shifted
// CHECK-LABEL: @shf_high_zero_not(
// CHECK-NEXT: %0 = ori.imm 1 : !ori.r
// CHECK-NEXT: %1 = ori.shf <right, u32, high> %arg0, %0, %arg1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @shf_high_zero_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 1 : !ori.r
  %r = ori.shf <right, u32, high> %a, %z, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-left-twice: the amounts are added
// CHECK-LABEL: @shf_left_twice(
// CHECK-NEXT: %0 = ori.imm 8 : !ori.r
// CHECK-NEXT: %1 = ori.imm 0 : !ori.r
// CHECK-NEXT: %2 = ori.shf <left, u32> %arg0, %0, %1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %2 : !ori.r
ori.func @shf_left_twice(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 3 : !ori.r
  %l = ori.imm 5 : !ori.r
  %x = ori.shf <left, u32> %a, %k, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.shf <left, u32> %x, %l, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-left-twice: no match: the amounts add up to more than 31
// CHECK-LABEL: @shf_left_twice_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.imm 30 : !ori.r
// CHECK-NEXT: %2 = ori.imm 5 : !ori.r
// CHECK-NEXT: %3 = ori.shf <left, u32> %arg0, %1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %4 = ori.shf <left, u32> %3, %2, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %4 : !ori.r
ori.func @shf_left_twice_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 30 : !ori.r
  %l = ori.imm 5 : !ori.r
  %x = ori.shf <left, u32> %a, %k, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.shf <left, u32> %x, %l, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-right-twice: the amounts are added
// CHECK-LABEL: @shf_right_twice(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.imm 8 : !ori.r
// CHECK-NEXT: %2 = ori.shf <right, s32, high> %0, %1, %arg0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %2 : !ori.r
ori.func @shf_right_twice(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 3 : !ori.r
  %l = ori.imm 5 : !ori.r
  %x = ori.shf <right, s32, high> %z, %k, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.shf <right, s32, high> %z, %l, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-right-twice: no match: one of them extends the sign
// CHECK-LABEL: @shf_right_twice_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.imm 3 : !ori.r
// CHECK-NEXT: %2 = ori.imm 5 : !ori.r
// CHECK-NEXT: %3 = ori.shf <right, s32, high> %0, %1, %arg0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %4 = ori.shf <right, u32, high> %0, %2, %3 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %4 : !ori.r
ori.func @shf_right_twice_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 3 : !ori.r
  %l = ori.imm 5 : !ori.r
  %x = ori.shf <right, s32, high> %z, %k, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.shf <right, u32, high> %z, %l, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-funnel-sum: a rotation
// CHECK-LABEL: @shf_funnel_sum(
// CHECK-NEXT: %0 = ori.imm 8 : !ori.r
// CHECK-NEXT: %1 = ori.shf <left, u32, high, wrap> %arg0, %0, %arg0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @shf_funnel_sum(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 8 : !ori.r
  %l = ori.imm 24 : !ori.r
  %x = ori.shf <left, u32> %a, %k, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.shf <right, u32, high> %z, %l, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.iadd3 %x, %y, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-funnel-sum: no match: the amounts do not add up to 32
// CHECK-LABEL: @shf_funnel_sum_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.imm 23 : !ori.r
// CHECK-NEXT: %2 = ori.shf <right, u32, high> %0, %1, %arg0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %3 = ori.lea <shift = 8> %arg0, %2, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %3 : !ori.r
ori.func @shf_funnel_sum_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 8 : !ori.r
  %l = ori.imm 23 : !ori.r
  %x = ori.shf <left, u32> %a, %k, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.shf <right, u32, high> %z, %l, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.iadd3 %x, %y, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-funnel-or: two registers shifted as one
// CHECK-LABEL: @shf_funnel_or(
// CHECK-NEXT: %0 = ori.imm 8 : !ori.r
// CHECK-NEXT: %1 = ori.shf <left, u32, high, wrap> %arg1, %0, %arg0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @shf_funnel_or(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 8 : !ori.r
  %l = ori.imm 24 : !ori.r
  %x = ori.shf <left, u32> %a, %k, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.shf <right, u32, high> %z, %l, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.lop3 <lut = 252> %x, %y, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-funnel-or: no match: the operation does not combine the halves
// CHECK-LABEL: @shf_funnel_or_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.imm 8 : !ori.r
// CHECK-NEXT: %2 = ori.imm 24 : !ori.r
// CHECK-NEXT: %3 = ori.shf <left, u32> %arg0, %1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %4 = ori.shf <right, u32, high> %0, %2, %arg1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %5 = ori.lop3 <lut = 192> %3, %4, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %5 : !ori.r
ori.func @shf_funnel_or_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 8 : !ori.r
  %l = ori.imm 24 : !ori.r
  %x = ori.shf <left, u32> %a, %k, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.shf <right, u32, high> %z, %l, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.lop3 <lut = 192> %x, %y, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-funnel-or-turned: the same with the terms exchanged
// CHECK-LABEL: @shf_funnel_or_turned(
// CHECK-NEXT: %0 = ori.imm 8 : !ori.r
// CHECK-NEXT: %1 = ori.shf <left, u32, high, wrap> %arg1, %0, %arg0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @shf_funnel_or_turned(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 8 : !ori.r
  %l = ori.imm 24 : !ori.r
  %x = ori.shf <left, u32> %a, %k, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.shf <right, u32, high> %z, %l, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.lop3 <lut = 60> %y, %x, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-funnel-or-turned: no match: the sign is extended
// CHECK-LABEL: @shf_funnel_or_turned_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.imm 8 : !ori.r
// CHECK-NEXT: %2 = ori.imm 24 : !ori.r
// CHECK-NEXT: %3 = ori.shf <left, u32> %arg0, %1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %4 = ori.shf <right, s32, high> %0, %2, %arg1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %5 = ori.lop3 <lut = 60> %4, %3, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %5 : !ori.r
ori.func @shf_funnel_or_turned_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 8 : !ori.r
  %l = ori.imm 24 : !ori.r
  %x = ori.shf <left, u32> %a, %k, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.shf <right, s32, high> %z, %l, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.lop3 <lut = 60> %y, %x, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-funnel-or-low: the high half of the right shift is zero
// CHECK-LABEL: @shf_funnel_or_low(
// CHECK-NEXT: %0 = ori.imm 8 : !ori.r
// CHECK-NEXT: %1 = ori.shf <left, u32, high, wrap> %arg1, %0, %arg0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @shf_funnel_or_low(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 8 : !ori.r
  %l = ori.imm 24 : !ori.r
  %x = ori.shf <left, u32> %a, %k, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.shf <right, u32> %b, %l, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.lop3 <lut = 252> %x, %y, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-funnel-or-low: no match: bits of a third register
// CHECK-LABEL: @shf_funnel_or_low_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.imm 8 : !ori.r
// CHECK-NEXT: %2 = ori.imm 24 : !ori.r
// CHECK-NEXT: %3 = ori.shf <left, u32> %arg0, %1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %4 = ori.shf <right, u32> %arg1, %2, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %5 = ori.lop3 <lut = 252> %3, %4, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %5 : !ori.r
ori.func @shf_funnel_or_low_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 8 : !ori.r
  %l = ori.imm 24 : !ori.r
  %x = ori.shf <left, u32> %a, %k, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.shf <right, u32> %b, %l, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.lop3 <lut = 252> %x, %y, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-funnel-or-low-turned: the same with the terms exchanged
// CHECK-LABEL: @shf_funnel_or_low_turned(
// CHECK-NEXT: %0 = ori.imm 8 : !ori.r
// CHECK-NEXT: %1 = ori.shf <left, u32, high, wrap> %arg1, %0, %arg0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @shf_funnel_or_low_turned(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 8 : !ori.r
  %l = ori.imm 24 : !ori.r
  %x = ori.shf <left, u32> %a, %k, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.shf <right, u32> %b, %l, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.lop3 <lut = 252> %y, %x, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-shf-funnel-or-low-turned: no match: one of the operands has another use
// CHECK-LABEL: @shf_funnel_or_low_turned_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.imm 8 : !ori.r
// CHECK-NEXT: %2 = ori.imm 24 : !ori.r
// CHECK-NEXT: %3 = ori.shf <left, u32> %arg0, %1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %4 = ori.shf <right, u32> %arg1, %2, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %5 = ori.lop3 <lut = 252> %4, %3, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %6 = ori.popc %3 : (!ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %5, %6 : !ori.r, !ori.r
ori.func @shf_funnel_or_low_turned_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r, !ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 8 : !ori.r
  %l = ori.imm 24 : !ori.r
  %x = ori.shf <left, u32> %a, %k, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.shf <right, u32> %b, %l, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.lop3 <lut = 252> %y, %x, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %s = ori.popc %x : (!ori.r) -> !ori.r
  ori.ret %r, %s : !ori.r, !ori.r
}

// ori-lea-zero: shift by zero
// CHECK-LABEL: @lea_zero(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.iadd3 %arg0, neg %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @lea_zero(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %r = ori.lea <shift = 0> %a, neg %b, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lea-zero: no match: the shift is not zero
// CHECK-LABEL: @lea_zero_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.lea <shift = 1> %arg0, neg %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @lea_zero_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %r = ori.lea <shift = 1> %a, neg %b, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lea-constant: the term is known
// CHECK-LABEL: @lea_constant(
// CHECK-NEXT: %0 = ori.imm 80 : !ori.r
// CHECK-NEXT: %1 = ori.imm 0 : !ori.r
// CHECK-NEXT: %2 = ori.iadd3 %arg1, %0, %1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %2 : !ori.r
ori.func @lea_constant(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 5 : !ori.r
  %r = ori.lea <shift = 4> %k, %b, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-lea-constant: no match: the term is inverted after the shift
// CHECK-LABEL: @lea_constant_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.imm 5 : !ori.r
// CHECK-NEXT: %2 = ori.lea <shift = 4> not %1, %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %2 : !ori.r
ori.func @lea_constant_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 5 : !ori.r
  %r = ori.lea <shift = 4> not %k, %b, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-brev-twice: the order is as before
// CHECK-LABEL: @brev_twice(
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @brev_twice(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.brev %a : (!ori.r) -> !ori.r
  %r = ori.brev %x : (!ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-brev-twice: no match: only one operation reverses bits
// CHECK-LABEL: @brev_twice_not(
// CHECK-NEXT: %0 = ori.popc %arg0 : (!ori.r) -> !ori.r
// CHECK-NEXT: %1 = ori.brev %0 : (!ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @brev_twice_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.popc %a : (!ori.r) -> !ori.r
  %r = ori.brev %x : (!ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-iabs-twice: the sign of an absolute value is clear
// CHECK-LABEL: @iabs_twice(
// CHECK-NEXT: %0 = ori.iabs %arg0 : (!ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @iabs_twice(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.iabs %a : (!ori.r) -> !ori.r
  %r = ori.iabs %x : (!ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-iabs-twice: no match: only one of them is absolute
// CHECK-LABEL: @iabs_twice_not(
// CHECK-NEXT: %0 = ori.popc %arg0 : (!ori.r) -> !ori.r
// CHECK-NEXT: %1 = ori.iabs %0 : (!ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @iabs_twice_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.popc %a : (!ori.r) -> !ori.r
  %r = ori.iabs %x : (!ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-prmt-first: the bytes of the first register
// CHECK-LABEL: @prmt_first(
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @prmt_first(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 12816 : !ori.r
  %r = ori.prmt <idx> %a, %k, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-prmt-first: no match: a byte differs
// CHECK-LABEL: @prmt_first_not(
// CHECK-NEXT: %0 = ori.imm 12817 : !ori.r
// CHECK-NEXT: %1 = ori.prmt <idx> %arg0, %0, %arg1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @prmt_first_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 12817 : !ori.r
  %r = ori.prmt <idx> %a, %k, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-prmt-second: the bytes of the second register
// CHECK-LABEL: @prmt_second(
// CHECK-NEXT: ori.ret %arg1 : !ori.r
ori.func @prmt_second(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 30292 : !ori.r
  %r = ori.prmt <idx> %a, %k, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-prmt-second: no match: a different selector
// CHECK-LABEL: @prmt_second_not(
// CHECK-NEXT: %0 = ori.imm 30292 : !ori.r
// CHECK-NEXT: %1 = ori.prmt <rc8> %arg0, %0, %arg1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @prmt_second_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 30292 : !ori.r
  %r = ori.prmt <rc8> %a, %k, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}
