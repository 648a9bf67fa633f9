// Identities of floats. Functions are named like the rules; `_not` is what a rule leaves alone.
//
// RUN: orison-opt --ori-peephole %s | FileCheck %s

// ori-fmul-one: the other factor
// CHECK-LABEL: @fmul_one(
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @fmul_one(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 1065353216 : !ori.r
  %r = ori.fmul %a, %k : (!ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-fmul-one: no match: denormals become zero
// CHECK-LABEL: @fmul_one_not(
// CHECK-NEXT: %0 = ori.imm 1065353216 : !ori.r
// CHECK-NEXT: %1 = ori.fmul <ftz> %arg0, %0 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @fmul_one_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 1065353216 : !ori.r
  %r = ori.fmul <ftz> %a, %k : (!ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-fadd-minus-zero: the other term
// CHECK-LABEL: @fadd_minus_zero(
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @fadd_minus_zero(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -2147483648 : !ori.r
  %r = ori.fadd %a, %k : (!ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-fadd-minus-zero: no match: -0 + 0 is 0
// CHECK-LABEL: @fadd_minus_zero_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.fadd %arg0, %0 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @fadd_minus_zero_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 0 : !ori.r
  %r = ori.fadd %a, %k : (!ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-ffma-one: a product with one is a sum
// CHECK-LABEL: @ffma_one(
// CHECK-NEXT: %0 = ori.fadd <rz, ftz> %arg0, neg %arg1 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @ffma_one(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 1065353216 : !ori.r
  %r = ori.ffma <rz, ftz> %a, %k, neg %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-ffma-one: no match: two is not one
// CHECK-LABEL: @ffma_one_not(
// CHECK-NEXT: %0 = ori.imm 1073741824 : !ori.r
// CHECK-NEXT: %1 = ori.ffma <rz, ftz> %arg0, %0, neg %arg1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @ffma_one_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 1073741824 : !ori.r
  %r = ori.ffma <rz, ftz> %a, %k, neg %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-ffma-minus-one: a product with -1 is a difference
// CHECK-LABEL: @ffma_minus_one(
// CHECK-NEXT: %0 = ori.fadd neg %arg0, %arg1 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @ffma_minus_one(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -1082130432 : !ori.r
  %r = ori.ffma %a, %k, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-ffma-minus-one: no match: one is not -1
// CHECK-LABEL: @ffma_minus_one_not(
// CHECK-NEXT: %0 = ori.fadd %arg0, %arg1 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @ffma_minus_one_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 1065353216 : !ori.r
  %r = ori.ffma %a, %k, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-ffma-minus-zero: the sum with -0 is the product
// CHECK-LABEL: @ffma_minus_zero(
// CHECK-NEXT: %0 = ori.fmul %arg0, abs %arg1 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @ffma_minus_zero(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -2147483648 : !ori.r
  %r = ori.ffma %a, abs %b, %k : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-ffma-minus-zero: no match: 0 + -0 is -0 rounded down
// CHECK-LABEL: @ffma_minus_zero_not(
// CHECK-NEXT: %0 = ori.imm -2147483648 : !ori.r
// CHECK-NEXT: %1 = ori.ffma <rm> %arg0, abs %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @ffma_minus_zero_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -2147483648 : !ori.r
  %r = ori.ffma <rm> %a, abs %b, %k : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-fadd-sign: the sign is a modifier
// CHECK-LABEL: @fadd_sign(
// CHECK-NEXT: %0 = ori.fadd neg %arg0, %arg1 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @fadd_sign(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -2147483648 : !ori.r
  %x = ori.fadd neg %a, %k : (!ori.r, !ori.r) -> !ori.r
  %r = ori.fadd %x, %b : (!ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-fadd-sign: no match: denormals become zero in between
// CHECK-LABEL: @fadd_sign_not(
// CHECK-NEXT: %0 = ori.imm -2147483648 : !ori.r
// CHECK-NEXT: %1 = ori.fadd <ftz> neg %arg0, %0 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %2 = ori.fadd %1, %arg1 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %2 : !ori.r
ori.func @fadd_sign_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -2147483648 : !ori.r
  %x = ori.fadd <ftz> neg %a, %k : (!ori.r, !ori.r) -> !ori.r
  %r = ori.fadd %x, %b : (!ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-fadd-fmul-minus-one: the sign is a modifier
// CHECK-LABEL: @fadd_fmul_minus_one(
// CHECK-NEXT: %0 = ori.fadd neg %arg0, %arg1 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @fadd_fmul_minus_one(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -1082130432 : !ori.r
  %x = ori.fmul %a, %k : (!ori.r, !ori.r) -> !ori.r
  %r = ori.fadd %x, %b : (!ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-fadd-fmul-minus-one: no match: -2 is not -1
// CHECK-LABEL: @fadd_fmul_minus_one_not(
// CHECK-NEXT: %0 = ori.imm -1073741824 : !ori.r
// CHECK-NEXT: %1 = ori.fmul %arg0, %0 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %2 = ori.fadd %1, %arg1 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %2 : !ori.r
ori.func @fadd_fmul_minus_one_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -1073741824 : !ori.r
  %x = ori.fmul %a, %k : (!ori.r, !ori.r) -> !ori.r
  %r = ori.fadd %x, %b : (!ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-fmul-sign: the sign is a modifier
// CHECK-LABEL: @fmul_sign(
// CHECK-NEXT: %0 = ori.fmul neg %arg0, %arg1 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @fmul_sign(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -2147483648 : !ori.r
  %x = ori.fadd neg %a, %k : (!ori.r, !ori.r) -> !ori.r
  %r = ori.fmul %x, %b : (!ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-fmul-sign: no match: the first result is clamped
// CHECK-LABEL: @fmul_sign_not(
// CHECK-NEXT: %0 = ori.imm -2147483648 : !ori.r
// CHECK-NEXT: %1 = ori.fadd <saturate> neg %arg0, %0 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %2 = ori.fmul %1, %arg1 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %2 : !ori.r
ori.func @fmul_sign_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -2147483648 : !ori.r
  %x = ori.fadd <saturate> neg %a, %k : (!ori.r, !ori.r) -> !ori.r
  %r = ori.fmul %x, %b : (!ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-ffma-sign: the sign is a modifier of a factor
// CHECK-LABEL: @ffma_sign(
// CHECK-NEXT: %0 = ori.ffma neg %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @ffma_sign(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -2147483648 : !ori.r
  %x = ori.fadd neg %a, %k : (!ori.r, !ori.r) -> !ori.r
  %r = ori.ffma %x, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-ffma-sign: no match: it is the addend
// CHECK-LABEL: @ffma_sign_not(
// CHECK-NEXT: %0 = ori.ffma %arg1, %arg2, neg %arg0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @ffma_sign_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -2147483648 : !ori.r
  %x = ori.fadd neg %a, %k : (!ori.r, !ori.r) -> !ori.r
  %r = ori.ffma %b, %c, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-ffma-sign-addend: the sign is a modifier of the addend
// CHECK-LABEL: @ffma_sign_addend(
// CHECK-NEXT: %0 = ori.ffma %arg1, %arg2, neg %arg0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @ffma_sign_addend(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -2147483648 : !ori.r
  %x = ori.fadd neg %a, %k : (!ori.r, !ori.r) -> !ori.r
  %r = ori.ffma %b, %c, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-ffma-sign-addend: no match: it is a factor
// CHECK-LABEL: @ffma_sign_addend_not(
// CHECK-NEXT: %0 = ori.ffma neg %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @ffma_sign_addend_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -2147483648 : !ori.r
  %x = ori.fadd neg %a, %k : (!ori.r, !ori.r) -> !ori.r
  %r = ori.ffma %x, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-dmul-one: the other factor
// CHECK-LABEL: @dmul_one(
// CHECK-NEXT: ori.ret %arg4 : !ori.r64
ori.func @dmul_one(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r64) target "sm_100a" {
  %k = ori.imm 4607182418800017408 : !ori.r64
  %r = ori.dmul %d, %k : (!ori.r64, !ori.r64) -> !ori.r64
  ori.ret %r : !ori.r64
}

// ori-dmul-one: no match: two is not one
// CHECK-LABEL: @dmul_one_not(
// CHECK-NEXT: %0 = ori.imm 4611686018427387904 : !ori.r64
// CHECK-NEXT: %1 = ori.dmul %arg4, %0 : (!ori.r64, !ori.r64) -> !ori.r64
// CHECK-NEXT: ori.ret %1 : !ori.r64
ori.func @dmul_one_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r64) target "sm_100a" {
  %k = ori.imm 4611686018427387904 : !ori.r64
  %r = ori.dmul %d, %k : (!ori.r64, !ori.r64) -> !ori.r64
  ori.ret %r : !ori.r64
}

// ori-dadd-minus-zero: the other term
// CHECK-LABEL: @dadd_minus_zero(
// CHECK-NEXT: ori.ret %arg4 : !ori.r64
ori.func @dadd_minus_zero(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r64) target "sm_100a" {
  %k = ori.imm -9223372036854775808 : !ori.r64
  %r = ori.dadd %d, %k : (!ori.r64, !ori.r64) -> !ori.r64
  ori.ret %r : !ori.r64
}

// ori-dadd-minus-zero: no match: 0 + -0 is -0 rounded down
// CHECK-LABEL: @dadd_minus_zero_not(
// CHECK-NEXT: %0 = ori.imm -9223372036854775808 : !ori.r64
// CHECK-NEXT: %1 = ori.dadd <rm> %arg4, %0 : (!ori.r64, !ori.r64) -> !ori.r64
// CHECK-NEXT: ori.ret %1 : !ori.r64
ori.func @dadd_minus_zero_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r64) target "sm_100a" {
  %k = ori.imm -9223372036854775808 : !ori.r64
  %r = ori.dadd <rm> %d, %k : (!ori.r64, !ori.r64) -> !ori.r64
  ori.ret %r : !ori.r64
}

// ori-dfma-one: a product with one is a sum
// CHECK-LABEL: @dfma_one(
// CHECK-NEXT: %0 = ori.dadd <rp> %arg4, neg %arg5 : (!ori.r64, !ori.r64) -> !ori.r64
// CHECK-NEXT: ori.ret %0 : !ori.r64
ori.func @dfma_one(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r64) target "sm_100a" {
  %k = ori.imm 4607182418800017408 : !ori.r64
  %r = ori.dfma <rp> %d, %k, neg %e : (!ori.r64, !ori.r64, !ori.r64) -> !ori.r64
  ori.ret %r : !ori.r64
}

// ori-dfma-one: no match: two is not one
// CHECK-LABEL: @dfma_one_not(
// CHECK-NEXT: %0 = ori.imm 4611686018427387904 : !ori.r64
// CHECK-NEXT: %1 = ori.dfma <rp> %arg4, %0, neg %arg5 : (!ori.r64, !ori.r64, !ori.r64) -> !ori.r64
// CHECK-NEXT: ori.ret %1 : !ori.r64
ori.func @dfma_one_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r64) target "sm_100a" {
  %k = ori.imm 4611686018427387904 : !ori.r64
  %r = ori.dfma <rp> %d, %k, neg %e : (!ori.r64, !ori.r64, !ori.r64) -> !ori.r64
  ori.ret %r : !ori.r64
}

// ori-dfma-minus-zero: the sum with -0 is the product
// CHECK-LABEL: @dfma_minus_zero(
// CHECK-NEXT: %0 = ori.dmul %arg4, %arg5 : (!ori.r64, !ori.r64) -> !ori.r64
// CHECK-NEXT: ori.ret %0 : !ori.r64
ori.func @dfma_minus_zero(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r64) target "sm_100a" {
  %k = ori.imm -9223372036854775808 : !ori.r64
  %r = ori.dfma %d, %e, %k : (!ori.r64, !ori.r64, !ori.r64) -> !ori.r64
  ori.ret %r : !ori.r64
}

// ori-dfma-minus-zero: no match: 0 + -0 is -0 rounded down
// CHECK-LABEL: @dfma_minus_zero_not(
// CHECK-NEXT: %0 = ori.imm -9223372036854775808 : !ori.r64
// CHECK-NEXT: %1 = ori.dfma <rm> %arg4, %arg5, %0 : (!ori.r64, !ori.r64, !ori.r64) -> !ori.r64
// CHECK-NEXT: ori.ret %1 : !ori.r64
ori.func @dfma_minus_zero_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r64) target "sm_100a" {
  %k = ori.imm -9223372036854775808 : !ori.r64
  %r = ori.dfma <rm> %d, %e, %k : (!ori.r64, !ori.r64, !ori.r64) -> !ori.r64
  ori.ret %r : !ori.r64
}

// ori-hmul2-one: the other factor
// CHECK-LABEL: @hmul2_one(
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @hmul2_one(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 1006648320 : !ori.r
  %r = ori.hmul2 <f16> %a, %k : (!ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-hmul2-one: no match: one half occurs twice
// CHECK-LABEL: @hmul2_one_not(
// CHECK-NEXT: %0 = ori.imm 1006648320 : !ori.r
// CHECK-NEXT: %1 = ori.hmul2 <f16> h0_h0 %arg0, %0 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @hmul2_one_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 1006648320 : !ori.r
  %r = ori.hmul2 <f16> h0_h0 %a, %k : (!ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-hmul2-one-bf16: the other factor
// CHECK-LABEL: @hmul2_one_bf16(
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @hmul2_one_bf16(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 1065369472 : !ori.r
  %r = ori.hmul2 <bf16> %a, %k : (!ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-hmul2-one-bf16: no match: a different value in this format
// CHECK-LABEL: @hmul2_one_bf16_not(
// CHECK-NEXT: %0 = ori.imm 1065369472 : !ori.r
// CHECK-NEXT: %1 = ori.hmul2 <f16> %arg0, %0 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @hmul2_one_bf16_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 1065369472 : !ori.r
  %r = ori.hmul2 <f16> %a, %k : (!ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}
