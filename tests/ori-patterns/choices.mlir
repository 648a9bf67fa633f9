// Choices and comparisons. Functions are named like the rules; `_not` is what a rule leaves alone.
//
// RUN: orison-opt --ori-peephole %s | FileCheck %s

// ori-sel-same: equal sides
// CHECK-LABEL: @sel_same(
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @sel_same(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.sel %a, %a, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-sel-same: no match: the sides differ
// CHECK-LABEL: @sel_same_not(
// CHECK-NEXT: %0 = ori.sel %arg0, %arg1, %arg7 : (!ori.r, !ori.r, !ori.p) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @sel_same_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.sel %a, %b, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-sel-true: the choice is known
// CHECK-LABEL: @sel_true(
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @sel_true(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %t = ori.imm 1 : !ori.p
  %r = ori.sel %a, %b, %t : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-sel-true: no match: the predicate is known to be the opposite
// CHECK-LABEL: @sel_true_not(
// CHECK-NEXT: ori.ret %arg1 : !ori.r
ori.func @sel_true_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %t = ori.imm 1 : !ori.p
  %r = ori.sel %a, %b, not %t : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-sel-false: the choice is known
// CHECK-LABEL: @sel_false(
// CHECK-NEXT: ori.ret %arg1 : !ori.r
ori.func @sel_false(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %t = ori.imm 0 : !ori.p
  %r = ori.sel %a, %b, %t : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-sel-false: no match: the predicate is known to be the opposite
// CHECK-LABEL: @sel_false_not(
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @sel_false_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %t = ori.imm 0 : !ori.p
  %r = ori.sel %a, %b, not %t : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-sel-not: the sides are exchanged
// CHECK-LABEL: @sel_not(
// CHECK-NEXT: %0 = ori.sel %arg1, %arg0, %arg7 : (!ori.r, !ori.r, !ori.p) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @sel_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.sel %a, %b, not %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-sel-not: no match: the choice is not inverted
// CHECK-LABEL: @sel_not_not(
// CHECK-NEXT: %0 = ori.sel %arg0, %arg1, %arg7 : (!ori.r, !ori.r, !ori.p) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @sel_not_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.sel %a, %b, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-sel-sel-a: the same choice again
// CHECK-LABEL: @sel_sel_a(
// CHECK-NEXT: %0 = ori.sel %arg0, %arg2, %arg7 : (!ori.r, !ori.r, !ori.p) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @sel_sel_a(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.sel %a, %b, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %r = ori.sel %x, %c, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-sel-sel-a: no match: the choices differ
// CHECK-LABEL: @sel_sel_a_not(
// CHECK-NEXT: %0 = ori.sel %arg0, %arg1, %arg8 : (!ori.r, !ori.r, !ori.p) -> !ori.r
// CHECK-NEXT: %1 = ori.sel %0, %arg2, %arg7 : (!ori.r, !ori.r, !ori.p) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @sel_sel_a_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.sel %a, %b, %q : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %r = ori.sel %x, %c, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-sel-sel-b: the same choice again
// CHECK-LABEL: @sel_sel_b(
// CHECK-NEXT: %0 = ori.sel %arg2, %arg1, %arg7 : (!ori.r, !ori.r, !ori.p) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @sel_sel_b(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.sel %a, %b, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %r = ori.sel %c, %x, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-sel-sel-b: no match: the choices differ
// CHECK-LABEL: @sel_sel_b_not(
// CHECK-NEXT: %0 = ori.sel %arg0, %arg1, %arg7 : (!ori.r, !ori.r, !ori.p) -> !ori.r
// CHECK-NEXT: %1 = ori.sel %arg2, %0, %arg8 : (!ori.r, !ori.r, !ori.p) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @sel_sel_b_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %x = ori.sel %a, %b, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %r = ori.sel %c, %x, %q : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-fsel-same: equal sides
// CHECK-LABEL: @fsel_same(
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @fsel_same(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.fsel %a, %a, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-fsel-same: no match: one side is negated
// CHECK-LABEL: @fsel_same_not(
// CHECK-NEXT: %0 = ori.fsel %arg0, neg %arg0, %arg7 : (!ori.r, !ori.r, !ori.p) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @fsel_same_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.fsel %a, neg %a, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-fsel-true: the choice is known
// CHECK-LABEL: @fsel_true(
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @fsel_true(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %t = ori.imm 1 : !ori.p
  %r = ori.fsel %a, %b, %t : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-fsel-true: no match: denormals become zero
// CHECK-LABEL: @fsel_true_not(
// CHECK-NEXT: %0 = ori.imm 1 : !ori.p
// CHECK-NEXT: %1 = ori.fsel <ftz> %arg0, %arg1, %0 : (!ori.r, !ori.r, !ori.p) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @fsel_true_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %t = ori.imm 1 : !ori.p
  %r = ori.fsel <ftz> %a, %b, %t : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-fsel-false: the choice is known
// CHECK-LABEL: @fsel_false(
// CHECK-NEXT: ori.ret %arg1 : !ori.r
ori.func @fsel_false(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %t = ori.imm 0 : !ori.p
  %r = ori.fsel %a, %b, %t : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-fsel-false: no match: denormals become zero
// CHECK-LABEL: @fsel_false_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: %1 = ori.fsel <ftz> %arg0, %arg1, %0 : (!ori.r, !ori.r, !ori.p) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @fsel_false_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %t = ori.imm 0 : !ori.p
  %r = ori.fsel <ftz> %a, %b, %t : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-imnmx-same: equal operands
// CHECK-LABEL: @imnmx_same(
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @imnmx_same(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.imnmx <s32> %a, %a, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-imnmx-same: no match: they differ
// CHECK-LABEL: @imnmx_same_not(
// CHECK-NEXT: %0 = ori.imnmx <s32> %arg0, %arg1, %arg7 : (!ori.r, !ori.r, !ori.p) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @imnmx_same_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.imnmx <s32> %a, %b, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-vimnmx-same: equal operands
// CHECK-LABEL: @vimnmx_same(
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @vimnmx_same(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.vimnmx <u32> %a, %a, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-vimnmx-same: no match: they differ
// CHECK-LABEL: @vimnmx_same_not(
// CHECK-NEXT: %0 = ori.vimnmx <u32> %arg0, %arg1, %arg7 : (!ori.r, !ori.r, !ori.p) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @vimnmx_same_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.vimnmx <u32> %a, %b, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-isetp-self: a value compared with itself is constant
// CHECK-LABEL: @isetp_self(
// CHECK-NEXT: %0 = ori.imm 1 : !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @isetp_self(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.isetp <le, s32, and> %a, %a : (!ori.r, !ori.r) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-self: no match: the outcome is combined
// CHECK-LABEL: @isetp_self_not(
// CHECK-NEXT: %0 = ori.isetp <le, s32, or> %arg0, %arg0 with(%arg7) : (!ori.r, !ori.r, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @isetp_self_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.isetp <le, s32, or> %a, %a with(%p) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-below-zero: no unsigned value is below zero
// CHECK-LABEL: @isetp_below_zero(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @isetp_below_zero(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %r = ori.isetp <lt, u32, and> %a, %z : (!ori.r, !ori.r) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-below-zero: no match: signed values may be below zero
// CHECK-LABEL: @isetp_below_zero_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.isetp <lt, s32, and> %arg0, %0 : (!ori.r, !ori.r) -> !ori.p
// CHECK-NEXT: ori.ret %1 : !ori.p
ori.func @isetp_below_zero_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %r = ori.isetp <lt, s32, and> %a, %z : (!ori.r, !ori.r) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-sel: a predicate moved through a register
// CHECK-LABEL: @isetp_sel(
// CHECK-NEXT: ori.ret %arg7 : !ori.p
ori.func @isetp_sel(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 1 : !ori.r
  %x = ori.sel %k, %z, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %r = ori.isetp <ne, s32, and> %x, %z : (!ori.r, !ori.r) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-sel: no match: one side is unknown
// CHECK-LABEL: @isetp_sel_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.imm 1 : !ori.r
// CHECK-NEXT: %2 = ori.sel %1, %arg1, %arg7 : (!ori.r, !ori.r, !ori.p) -> !ori.r
// CHECK-NEXT: %3 = ori.isetp <ne, s32, and> %2, %0 : (!ori.r, !ori.r) -> !ori.p
// CHECK-NEXT: ori.ret %3 : !ori.p
ori.func @isetp_sel_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %k = ori.imm 1 : !ori.r
  %x = ori.sel %k, %b, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %r = ori.isetp <ne, s32, and> %x, %z : (!ori.r, !ori.r) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-and-true: and with true is the identity
// CHECK-LABEL: @isetp_and_true(
// CHECK-NEXT: %0 = ori.isetp <lt, s32, and> %arg0, %arg1 : (!ori.r, !ori.r) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @isetp_and_true(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %t = ori.imm 1 : !ori.p
  %r = ori.isetp <lt, s32, and> %a, %b with(%t) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-and-true: no match: the predicate is unknown
// CHECK-LABEL: @isetp_and_true_not(
// CHECK-NEXT: %0 = ori.isetp <lt, s32, and> %arg0, %arg1 with(%arg7) : (!ori.r, !ori.r, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @isetp_and_true_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.isetp <lt, s32, and> %a, %b with(%p) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-and-false: and false is false
// CHECK-LABEL: @isetp_and_false(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @isetp_and_false(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %t = ori.imm 0 : !ori.p
  %r = ori.isetp <lt, s32, and> %a, %b with(%t) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-and-false: no match: the predicate is unknown
// CHECK-LABEL: @isetp_and_false_not(
// CHECK-NEXT: %0 = ori.isetp <lt, s32, and> %arg0, %arg1 with(%arg7) : (!ori.r, !ori.r, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @isetp_and_false_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.isetp <lt, s32, and> %a, %b with(%p) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-or-true: or true is true
// CHECK-LABEL: @isetp_or_true(
// CHECK-NEXT: %0 = ori.imm 1 : !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @isetp_or_true(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %t = ori.imm 1 : !ori.p
  %r = ori.isetp <lt, s32, or> %a, %b with(%t) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-or-true: no match: the predicate is unknown
// CHECK-LABEL: @isetp_or_true_not(
// CHECK-NEXT: %0 = ori.isetp <lt, s32, or> %arg0, %arg1 with(%arg7) : (!ori.r, !ori.r, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @isetp_or_true_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.isetp <lt, s32, or> %a, %b with(%p) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-or-false: or with false is the identity
// CHECK-LABEL: @isetp_or_false(
// CHECK-NEXT: %0 = ori.isetp <lt, s32, and> %arg0, %arg1 : (!ori.r, !ori.r) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @isetp_or_false(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %t = ori.imm 0 : !ori.p
  %r = ori.isetp <lt, s32, or> %a, %b with(%t) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-or-false: no match: without a predicate it is true
// CHECK-LABEL: @isetp_or_false_not(
// CHECK-NEXT: %0 = ori.isetp <lt, s32, or> %arg0, %arg1 : (!ori.r, !ori.r) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @isetp_or_false_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.isetp <lt, s32, or> %a, %b : (!ori.r, !ori.r) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-xor-false: xor with false is the identity
// CHECK-LABEL: @isetp_xor_false(
// CHECK-NEXT: %0 = ori.isetp <lt, s32, and> %arg0, %arg1 : (!ori.r, !ori.r) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @isetp_xor_false(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %t = ori.imm 0 : !ori.p
  %r = ori.isetp <lt, s32, xor> %a, %b with(%t) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-xor-false: no match: without a predicate it is the opposite
// CHECK-LABEL: @isetp_xor_false_not(
// CHECK-NEXT: %0 = ori.isetp <lt, s32, xor> %arg0, %arg1 : (!ori.r, !ori.r) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @isetp_xor_false_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.isetp <lt, s32, xor> %a, %b : (!ori.r, !ori.r) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-plop3-a: the comparison combines
// CHECK-LABEL: @isetp_plop3_a(
// CHECK-NEXT: %0 = ori.isetp <lt, s32, and> %arg0, %arg1 with(not %arg8) : (!ori.r, !ori.r, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @isetp_plop3_a(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %t = ori.imm 1 : !ori.p
  %x = ori.isetp <lt, s32, and> %a, %b : (!ori.r, !ori.r) -> !ori.p
  %r = ori.plop3 <lut = 192> %x, not %q, %t : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-plop3-a: no match: a comparison cannot combine by this function
// CHECK-LABEL: @isetp_plop3_a_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: %1 = ori.isetp <lt, s32, and> %arg0, %arg1 : (!ori.r, !ori.r) -> !ori.p
// CHECK-NEXT: %2 = ori.plop3 <lut = 48> %1, %arg8, %0 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %2 : !ori.p
ori.func @isetp_plop3_a_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %t = ori.imm 1 : !ori.p
  %x = ori.isetp <lt, s32, and> %a, %b : (!ori.r, !ori.r) -> !ori.p
  %r = ori.plop3 <lut = 48> %x, %q, %t : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-plop3-b: the comparison combines
// CHECK-LABEL: @isetp_plop3_b(
// CHECK-NEXT: %0 = ori.isetp <lt, s32, xor> %arg0, %arg1 with(%arg8) : (!ori.r, !ori.r, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @isetp_plop3_b(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %t = ori.imm 1 : !ori.p
  %x = ori.isetp <lt, s32, and> %a, %b : (!ori.r, !ori.r) -> !ori.p
  %r = ori.plop3 <lut = 60> %q, %x, %t : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-isetp-plop3-b: no match: it combines already
// CHECK-LABEL: @isetp_plop3_b_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: %1 = ori.isetp <lt, s32, and> %arg0, %arg1 with(%arg7) : (!ori.r, !ori.r, !ori.p) -> !ori.p
// CHECK-NEXT: %2 = ori.plop3 <lut = 60> %arg8, %1, %0 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %2 : !ori.p
ori.func @isetp_plop3_b_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %t = ori.imm 1 : !ori.p
  %x = ori.isetp <lt, s32, and> %a, %b with(%p) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  %r = ori.plop3 <lut = 60> %q, %x, %t : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-fsetp-plop3-a: the comparison combines
// CHECK-LABEL: @fsetp_plop3_a(
// CHECK-NEXT: %0 = ori.fsetp <lt, or> %arg0, %arg1 with(%arg8) : (!ori.r, !ori.r, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @fsetp_plop3_a(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %t = ori.imm 1 : !ori.p
  %x = ori.fsetp <lt, and> %a, %b : (!ori.r, !ori.r) -> !ori.p
  %r = ori.plop3 <lut = 252> %x, %q, %t : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-fsetp-plop3-a: no match: it has another use
// CHECK-LABEL: @fsetp_plop3_a_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: %1 = ori.fsetp <lt, and> %arg0, %arg1 : (!ori.r, !ori.r) -> !ori.p
// CHECK-NEXT: %2 = ori.plop3 <lut = 252> %1, %arg8, %0 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: %3 = ori.plop3 <lut = 23> %1, %arg8, %arg7 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %2, %3 : !ori.p, !ori.p
ori.func @fsetp_plop3_a_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p, !ori.p) target "sm_100a" {
  %t = ori.imm 1 : !ori.p
  %x = ori.fsetp <lt, and> %a, %b : (!ori.r, !ori.r) -> !ori.p
  %r = ori.plop3 <lut = 252> %x, %q, %t : (!ori.p, !ori.p, !ori.p) -> !ori.p
  %s = ori.plop3 <lut = 23> %x, %q, %p : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r, %s : !ori.p, !ori.p
}

// ori-fsetp-plop3-b: the comparison combines
// CHECK-LABEL: @fsetp_plop3_b(
// CHECK-NEXT: %0 = ori.fsetp <lt, ftz, and> %arg0, %arg1 with(%arg8) : (!ori.r, !ori.r, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @fsetp_plop3_b(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %t = ori.imm 1 : !ori.p
  %x = ori.fsetp <lt, and, ftz> %a, %b : (!ori.r, !ori.r) -> !ori.p
  %r = ori.plop3 <lut = 192> %q, %x, %t : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-fsetp-plop3-b: no match: or without a predicate is true
// CHECK-LABEL: @fsetp_plop3_b_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.p
// CHECK-NEXT: %1 = ori.fsetp <lt, or> %arg0, %arg1 : (!ori.r, !ori.r) -> !ori.p
// CHECK-NEXT: %2 = ori.plop3 <lut = 192> %arg8, %1, %0 : (!ori.p, !ori.p, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %2 : !ori.p
ori.func @fsetp_plop3_b_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %t = ori.imm 1 : !ori.p
  %x = ori.fsetp <lt, or> %a, %b : (!ori.r, !ori.r) -> !ori.p
  %r = ori.plop3 <lut = 192> %q, %x, %t : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-fsetp-and-true: and with true is the identity
// CHECK-LABEL: @fsetp_and_true(
// CHECK-NEXT: %0 = ori.fsetp <lt, and> %arg0, %arg1 : (!ori.r, !ori.r) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @fsetp_and_true(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %t = ori.imm 1 : !ori.p
  %r = ori.fsetp <lt, and> %a, %b with(%t) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}

// ori-fsetp-and-true: no match: the predicate is unknown
// CHECK-LABEL: @fsetp_and_true_not(
// CHECK-NEXT: %0 = ori.fsetp <lt, and> %arg0, %arg1 with(%arg7) : (!ori.r, !ori.r, !ori.p) -> !ori.p
// CHECK-NEXT: ori.ret %0 : !ori.p
ori.func @fsetp_and_true_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.p) target "sm_100a" {
  %r = ori.fsetp <lt, and> %a, %b with(%p) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.ret %r : !ori.p
}
