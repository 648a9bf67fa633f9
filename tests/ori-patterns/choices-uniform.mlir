// Choices and comparisons, uniform twins. Functions are named like the rules; `_not` is what a rule leaves alone.
//
// RUN: orison-opt --ori-peephole %s | FileCheck %s

// ori-usel-same: equal sides
// CHECK-LABEL: @usel_same(
// CHECK-NEXT: ori.ret %arg0 : !ori.ur
ori.func @usel_same(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.usel %a, %a, %p : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-usel-same: no match: the sides differ
// CHECK-LABEL: @usel_same_not(
// CHECK-NEXT: %0 = ori.usel %arg0, %arg1, %arg7 : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @usel_same_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.usel %a, %b, %p : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-usel-true: the choice is known
// CHECK-LABEL: @usel_true(
// CHECK-NEXT: ori.ret %arg0 : !ori.ur
ori.func @usel_true(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %t = ori.imm 1 : !ori.up
  %r = ori.usel %a, %b, %t : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-usel-true: no match: the predicate is known to be the opposite
// CHECK-LABEL: @usel_true_not(
// CHECK-NEXT: ori.ret %arg1 : !ori.ur
ori.func @usel_true_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %t = ori.imm 1 : !ori.up
  %r = ori.usel %a, %b, not %t : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-usel-false: the choice is known
// CHECK-LABEL: @usel_false(
// CHECK-NEXT: ori.ret %arg1 : !ori.ur
ori.func @usel_false(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %t = ori.imm 0 : !ori.up
  %r = ori.usel %a, %b, %t : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-usel-false: no match: the predicate is known to be the opposite
// CHECK-LABEL: @usel_false_not(
// CHECK-NEXT: ori.ret %arg0 : !ori.ur
ori.func @usel_false_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %t = ori.imm 0 : !ori.up
  %r = ori.usel %a, %b, not %t : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-usel-not: the sides are exchanged
// CHECK-LABEL: @usel_not(
// CHECK-NEXT: %0 = ori.usel %arg1, %arg0, %arg7 : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @usel_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.usel %a, %b, not %p : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-usel-not: no match: the choice is not inverted
// CHECK-LABEL: @usel_not_not(
// CHECK-NEXT: %0 = ori.usel %arg0, %arg1, %arg7 : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @usel_not_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.usel %a, %b, %p : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-usel-sel-a: the same choice again
// CHECK-LABEL: @usel_sel_a(
// CHECK-NEXT: %0 = ori.usel %arg0, %arg2, %arg7 : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @usel_sel_a(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %x = ori.usel %a, %b, %p : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  %r = ori.usel %x, %c, %p : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-usel-sel-a: no match: the choices differ
// CHECK-LABEL: @usel_sel_a_not(
// CHECK-NEXT: %0 = ori.usel %arg0, %arg1, %arg8 : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
// CHECK-NEXT: %1 = ori.usel %0, %arg2, %arg7 : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @usel_sel_a_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %x = ori.usel %a, %b, %q : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  %r = ori.usel %x, %c, %p : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-usel-sel-b: the same choice again
// CHECK-LABEL: @usel_sel_b(
// CHECK-NEXT: %0 = ori.usel %arg2, %arg1, %arg7 : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @usel_sel_b(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %x = ori.usel %a, %b, %p : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  %r = ori.usel %c, %x, %p : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-usel-sel-b: no match: the choices differ
// CHECK-LABEL: @usel_sel_b_not(
// CHECK-NEXT: %0 = ori.usel %arg0, %arg1, %arg7 : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
// CHECK-NEXT: %1 = ori.usel %arg2, %0, %arg8 : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @usel_sel_b_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %x = ori.usel %a, %b, %p : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  %r = ori.usel %c, %x, %q : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uisetp-self: a value compared with itself is constant
// CHECK-LABEL: @uisetp_self(
// CHECK-NEXT: %0 = ori.imm 1 : !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uisetp_self(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uisetp <le, s32, and> %a, %a : (!ori.ur, !ori.ur) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-self: no match: the outcome is combined
// CHECK-LABEL: @uisetp_self_not(
// CHECK-NEXT: %0 = ori.uisetp <le, s32, or> %arg0, %arg0 with(%arg7) : (!ori.ur, !ori.ur, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uisetp_self_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uisetp <le, s32, or> %a, %a with(%p) : (!ori.ur, !ori.ur, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-below-zero: no unsigned value is below zero
// CHECK-LABEL: @uisetp_below_zero(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uisetp_below_zero(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %r = ori.uisetp <lt, u32, and> %a, %z : (!ori.ur, !ori.ur) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-below-zero: no match: signed values may be below zero
// CHECK-LABEL: @uisetp_below_zero_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.uisetp <lt, s32, and> %arg0, %0 : (!ori.ur, !ori.ur) -> !ori.up
// CHECK-NEXT: ori.ret %1 : !ori.up
ori.func @uisetp_below_zero_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %r = ori.uisetp <lt, s32, and> %a, %z : (!ori.ur, !ori.ur) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-sel: a predicate moved through a register
// CHECK-LABEL: @uisetp_sel(
// CHECK-NEXT: ori.ret %arg7 : !ori.up
ori.func @uisetp_sel(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 1 : !ori.ur
  %x = ori.usel %k, %z, %p : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  %r = ori.uisetp <ne, s32, and> %x, %z : (!ori.ur, !ori.ur) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-sel: no match: one side is unknown
// CHECK-LABEL: @uisetp_sel_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.imm 1 : !ori.ur
// CHECK-NEXT: %2 = ori.usel %1, %arg1, %arg7 : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
// CHECK-NEXT: %3 = ori.uisetp <ne, s32, and> %2, %0 : (!ori.ur, !ori.ur) -> !ori.up
// CHECK-NEXT: ori.ret %3 : !ori.up
ori.func @uisetp_sel_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %k = ori.imm 1 : !ori.ur
  %x = ori.usel %k, %b, %p : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  %r = ori.uisetp <ne, s32, and> %x, %z : (!ori.ur, !ori.ur) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-and-true: and with true is the identity
// CHECK-LABEL: @uisetp_and_true(
// CHECK-NEXT: %0 = ori.uisetp <lt, s32, and> %arg0, %arg1 : (!ori.ur, !ori.ur) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uisetp_and_true(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %t = ori.imm 1 : !ori.up
  %r = ori.uisetp <lt, s32, and> %a, %b with(%t) : (!ori.ur, !ori.ur, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-and-true: no match: the predicate is unknown
// CHECK-LABEL: @uisetp_and_true_not(
// CHECK-NEXT: %0 = ori.uisetp <lt, s32, and> %arg0, %arg1 with(%arg7) : (!ori.ur, !ori.ur, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uisetp_and_true_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uisetp <lt, s32, and> %a, %b with(%p) : (!ori.ur, !ori.ur, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-and-false: and false is false
// CHECK-LABEL: @uisetp_and_false(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uisetp_and_false(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %t = ori.imm 0 : !ori.up
  %r = ori.uisetp <lt, s32, and> %a, %b with(%t) : (!ori.ur, !ori.ur, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-and-false: no match: the predicate is unknown
// CHECK-LABEL: @uisetp_and_false_not(
// CHECK-NEXT: %0 = ori.uisetp <lt, s32, and> %arg0, %arg1 with(%arg7) : (!ori.ur, !ori.ur, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uisetp_and_false_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uisetp <lt, s32, and> %a, %b with(%p) : (!ori.ur, !ori.ur, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-or-true: or true is true
// CHECK-LABEL: @uisetp_or_true(
// CHECK-NEXT: %0 = ori.imm 1 : !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uisetp_or_true(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %t = ori.imm 1 : !ori.up
  %r = ori.uisetp <lt, s32, or> %a, %b with(%t) : (!ori.ur, !ori.ur, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-or-true: no match: the predicate is unknown
// CHECK-LABEL: @uisetp_or_true_not(
// CHECK-NEXT: %0 = ori.uisetp <lt, s32, or> %arg0, %arg1 with(%arg7) : (!ori.ur, !ori.ur, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uisetp_or_true_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uisetp <lt, s32, or> %a, %b with(%p) : (!ori.ur, !ori.ur, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-or-false: or with false is the identity
// CHECK-LABEL: @uisetp_or_false(
// CHECK-NEXT: %0 = ori.uisetp <lt, s32, and> %arg0, %arg1 : (!ori.ur, !ori.ur) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uisetp_or_false(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %t = ori.imm 0 : !ori.up
  %r = ori.uisetp <lt, s32, or> %a, %b with(%t) : (!ori.ur, !ori.ur, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-or-false: no match: without a predicate it is true
// CHECK-LABEL: @uisetp_or_false_not(
// CHECK-NEXT: %0 = ori.uisetp <lt, s32, or> %arg0, %arg1 : (!ori.ur, !ori.ur) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uisetp_or_false_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uisetp <lt, s32, or> %a, %b : (!ori.ur, !ori.ur) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-xor-false: xor with false is the identity
// CHECK-LABEL: @uisetp_xor_false(
// CHECK-NEXT: %0 = ori.uisetp <lt, s32, and> %arg0, %arg1 : (!ori.ur, !ori.ur) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uisetp_xor_false(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %t = ori.imm 0 : !ori.up
  %r = ori.uisetp <lt, s32, xor> %a, %b with(%t) : (!ori.ur, !ori.ur, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-xor-false: no match: without a predicate it is the opposite
// CHECK-LABEL: @uisetp_xor_false_not(
// CHECK-NEXT: %0 = ori.uisetp <lt, s32, xor> %arg0, %arg1 : (!ori.ur, !ori.ur) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uisetp_xor_false_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %r = ori.uisetp <lt, s32, xor> %a, %b : (!ori.ur, !ori.ur) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-plop3-a: the comparison combines
// CHECK-LABEL: @uisetp_plop3_a(
// CHECK-NEXT: %0 = ori.uisetp <lt, s32, and> %arg0, %arg1 with(not %arg8) : (!ori.ur, !ori.ur, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uisetp_plop3_a(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %t = ori.imm 1 : !ori.up
  %x = ori.uisetp <lt, s32, and> %a, %b : (!ori.ur, !ori.ur) -> !ori.up
  %r = ori.uplop3 <lut = 192> %x, not %q, %t : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-plop3-a: no match: a comparison cannot combine by this function
// CHECK-LABEL: @uisetp_plop3_a_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.up
// CHECK-NEXT: %1 = ori.uisetp <lt, s32, and> %arg0, %arg1 : (!ori.ur, !ori.ur) -> !ori.up
// CHECK-NEXT: %2 = ori.uplop3 <lut = 48> %1, %arg8, %0 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %2 : !ori.up
ori.func @uisetp_plop3_a_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %t = ori.imm 1 : !ori.up
  %x = ori.uisetp <lt, s32, and> %a, %b : (!ori.ur, !ori.ur) -> !ori.up
  %r = ori.uplop3 <lut = 48> %x, %q, %t : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-plop3-b: the comparison combines
// CHECK-LABEL: @uisetp_plop3_b(
// CHECK-NEXT: %0 = ori.uisetp <lt, s32, xor> %arg0, %arg1 with(%arg8) : (!ori.ur, !ori.ur, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %0 : !ori.up
ori.func @uisetp_plop3_b(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %t = ori.imm 1 : !ori.up
  %x = ori.uisetp <lt, s32, and> %a, %b : (!ori.ur, !ori.ur) -> !ori.up
  %r = ori.uplop3 <lut = 60> %q, %x, %t : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}

// ori-uisetp-plop3-b: no match: it combines already
// CHECK-LABEL: @uisetp_plop3_b_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.up
// CHECK-NEXT: %1 = ori.uisetp <lt, s32, and> %arg0, %arg1 with(%arg7) : (!ori.ur, !ori.ur, !ori.up) -> !ori.up
// CHECK-NEXT: %2 = ori.uplop3 <lut = 60> %arg8, %1, %0 : (!ori.up, !ori.up, !ori.up) -> !ori.up
// CHECK-NEXT: ori.ret %2 : !ori.up
ori.func @uisetp_plop3_b_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.up) target "sm_100a" {
  %t = ori.imm 1 : !ori.up
  %x = ori.uisetp <lt, s32, and> %a, %b with(%p) : (!ori.ur, !ori.ur, !ori.up) -> !ori.up
  %r = ori.uplop3 <lut = 60> %q, %x, %t : (!ori.up, !ori.up, !ori.up) -> !ori.up
  ori.ret %r : !ori.up
}
