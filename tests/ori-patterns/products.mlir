// Products of integers. Functions are named like the rules; `_not` is what a rule leaves alone.
//
// RUN: orison-opt --ori-peephole %s | FileCheck %s

// ori-imad-zero: a product with zero is zero
// CHECK-LABEL: @imad_zero(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.iadd3 neg %arg1, %0, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @imad_zero(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %r = ori.imad %a, %z, neg %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-imad-zero: no match: three is not zero
// CHECK-LABEL: @imad_zero_not(
// CHECK-NEXT: %0 = ori.imm 3 : !ori.r
// CHECK-NEXT: %1 = ori.imad %arg0, %0, neg %arg1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @imad_zero_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 3 : !ori.r
  %r = ori.imad %a, %z, neg %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-imad-one: a product with one is the other factor
// CHECK-LABEL: @imad_one(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.iadd3 %arg0, %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @imad_one(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 1 : !ori.r
  %r = ori.imad %a, %k, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-imad-one: no match: three is not one
// CHECK-LABEL: @imad_one_not(
// CHECK-NEXT: %0 = ori.imm 3 : !ori.r
// CHECK-NEXT: %1 = ori.imad %arg0, %0, %arg1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @imad_one_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 3 : !ori.r
  %r = ori.imad %a, %k, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-imad-minus-one: a product with -1 is a difference
// CHECK-LABEL: @imad_minus_one(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.iadd3 neg %arg0, %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @imad_minus_one(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -1 : !ori.r
  %r = ori.imad %a, %k, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-imad-minus-one: no match: the factor cannot be inverted and negated
// CHECK-LABEL: @imad_minus_one_not(
// CHECK-NEXT: %0 = ori.imm -1 : !ori.r
// CHECK-NEXT: %1 = ori.imad not %arg0, %0, %arg1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @imad_minus_one_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm -1 : !ori.r
  %r = ori.imad not %a, %k, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-imad-constants: a product of constants is one
// CHECK-LABEL: @imad_constants(
// CHECK-NEXT: %0 = ori.imm 42 : !ori.r
// CHECK-NEXT: %1 = ori.imm 0 : !ori.r
// CHECK-NEXT: %2 = ori.iadd3 %arg1, %0, %1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %2 : !ori.r
ori.func @imad_constants(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 6 : !ori.r
  %l = ori.imm 7 : !ori.r
  %r = ori.imad %k, %l, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-imad-constants: no match: one factor is unknown
// CHECK-LABEL: @imad_constants_not(
// CHECK-NEXT: %0 = ori.imm 6 : !ori.r
// CHECK-NEXT: %1 = ori.imad %0, %arg2, %arg1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @imad_constants_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 6 : !ori.r
  %r = ori.imad %k, %c, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-imad-fused: a product and a sum are combined
// CHECK-LABEL: @imad_fused(
// CHECK-NEXT: %0 = ori.imad %arg0, %arg1, neg %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @imad_fused(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %x = ori.imad %a, %b, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.iadd3 %x, neg %c, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-imad-fused: no match: the product has another use
// CHECK-LABEL: @imad_fused_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.imad %arg0, %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %2 = ori.iadd3 %1, neg %arg2, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %3 = ori.popc %1 : (!ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %2, %3 : !ori.r, !ori.r
ori.func @imad_fused_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r, !ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %x = ori.imad %a, %b, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.iadd3 %x, neg %c, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %s = ori.popc %x : (!ori.r) -> !ori.r
  ori.ret %r, %s : !ori.r, !ori.r
}

// ori-imad-common-factor: one product instead of two
// CHECK-LABEL: @imad_common_factor(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.iadd3 %arg1, %arg2, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %2 = ori.imad %arg0, %1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %2 : !ori.r
ori.func @imad_common_factor(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %x = ori.imad %a, %b, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.imad %a, %c, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.iadd3 %x, %y, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-imad-common-factor: no match: one product is negated
// CHECK-LABEL: @imad_common_factor_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.imad %arg0, %arg2, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %2 = ori.imad %arg0, %arg1, neg %1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %2 : !ori.r
ori.func @imad_common_factor_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %x = ori.imad %a, %b, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.imad %a, %c, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.iadd3 %x, neg %y, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-imad-wide-zero: a product with zero is zero
// CHECK-LABEL: @imad_wide_zero(
// CHECK-NEXT: ori.ret %arg4 : !ori.r64
ori.func @imad_wide_zero(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r64) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %r = ori.imad_wide <u32> %a, %z, %d : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  ori.ret %r : !ori.r64
}

// ori-imad-wide-zero: no match: the addend is negated
// CHECK-LABEL: @imad_wide_zero_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.imad_wide <u32> %arg0, %0, neg %arg4 : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
// CHECK-NEXT: ori.ret %1 : !ori.r64
ori.func @imad_wide_zero_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r64) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %r = ori.imad_wide <u32> %a, %z, neg %d : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  ori.ret %r : !ori.r64
}
