// Products of integers, uniform twins. Functions are named like the rules; `_not` is what a rule leaves alone.
//
// RUN: orison-opt --ori-peephole %s | FileCheck %s

// ori-uimad-zero: a product with zero is zero
// CHECK-LABEL: @uimad_zero(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.uiadd3 neg %arg1, %0, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @uimad_zero(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %r = ori.uimad %a, %z, neg %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uimad-zero: no match: three is not zero
// CHECK-LABEL: @uimad_zero_not(
// CHECK-NEXT: %0 = ori.imm 3 : !ori.ur
// CHECK-NEXT: %1 = ori.uimad %arg0, %0, neg %arg1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @uimad_zero_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 3 : !ori.ur
  %r = ori.uimad %a, %z, neg %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uimad-one: a product with one is the other factor
// CHECK-LABEL: @uimad_one(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.uiadd3 %arg0, %arg1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @uimad_one(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm 1 : !ori.ur
  %r = ori.uimad %a, %k, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uimad-one: no match: three is not one
// CHECK-LABEL: @uimad_one_not(
// CHECK-NEXT: %0 = ori.imm 3 : !ori.ur
// CHECK-NEXT: %1 = ori.uimad %arg0, %0, %arg1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @uimad_one_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm 3 : !ori.ur
  %r = ori.uimad %a, %k, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uimad-minus-one: a product with -1 is a difference
// CHECK-LABEL: @uimad_minus_one(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.uiadd3 neg %arg0, %arg1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @uimad_minus_one(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm -1 : !ori.ur
  %r = ori.uimad %a, %k, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uimad-minus-one: no match: the factor cannot be inverted and negated
// CHECK-LABEL: @uimad_minus_one_not(
// CHECK-NEXT: %0 = ori.imm -1 : !ori.ur
// CHECK-NEXT: %1 = ori.uimad not %arg0, %0, %arg1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @uimad_minus_one_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm -1 : !ori.ur
  %r = ori.uimad not %a, %k, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uimad-constants: a product of constants is one
// CHECK-LABEL: @uimad_constants(
// CHECK-NEXT: %0 = ori.imm 42 : !ori.ur
// CHECK-NEXT: %1 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %2 = ori.uiadd3 %arg1, %0, %1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %2 : !ori.ur
ori.func @uimad_constants(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm 6 : !ori.ur
  %l = ori.imm 7 : !ori.ur
  %r = ori.uimad %k, %l, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uimad-constants: no match: one factor is unknown
// CHECK-LABEL: @uimad_constants_not(
// CHECK-NEXT: %0 = ori.imm 6 : !ori.ur
// CHECK-NEXT: %1 = ori.uimad %0, %arg2, %arg1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @uimad_constants_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm 6 : !ori.ur
  %r = ori.uimad %k, %c, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uimad-fused: a product and a sum are combined
// CHECK-LABEL: @uimad_fused(
// CHECK-NEXT: %0 = ori.uimad %arg0, %arg1, neg %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @uimad_fused(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %x = ori.uimad %a, %b, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.uiadd3 %x, neg %c, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uimad-fused: no match: the product has another use
// CHECK-LABEL: @uimad_fused_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.uimad %arg0, %arg1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %2 = ori.uiadd3 %1, neg %arg2, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %3 = ori.upopc %1 : (!ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %2, %3 : !ori.ur, !ori.ur
ori.func @uimad_fused_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur, !ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %x = ori.uimad %a, %b, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.uiadd3 %x, neg %c, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %s = ori.upopc %x : (!ori.ur) -> !ori.ur
  ori.ret %r, %s : !ori.ur, !ori.ur
}

// ori-uimad-common-factor: one product instead of two
// CHECK-LABEL: @uimad_common_factor(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.uiadd3 %arg1, %arg2, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %2 = ori.uimad %arg0, %1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %2 : !ori.ur
ori.func @uimad_common_factor(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %x = ori.uimad %a, %b, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %y = ori.uimad %a, %c, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.uiadd3 %x, %y, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uimad-common-factor: no match: one product is negated
// CHECK-LABEL: @uimad_common_factor_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.uimad %arg0, %arg2, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %2 = ori.uimad %arg0, %arg1, neg %1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %2 : !ori.ur
ori.func @uimad_common_factor_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %x = ori.uimad %a, %b, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %y = ori.uimad %a, %c, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.uiadd3 %x, neg %y, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uimad-wide-zero: a product with zero is zero
// CHECK-LABEL: @uimad_wide_zero(
// CHECK-NEXT: ori.ret %arg4 : !ori.ur64
ori.func @uimad_wide_zero(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur64) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %r = ori.uimad_wide <u32> %a, %z, %d : (!ori.ur, !ori.ur, !ori.ur64) -> !ori.ur64
  ori.ret %r : !ori.ur64
}

// ori-uimad-wide-zero: no match: the addend is negated
// CHECK-LABEL: @uimad_wide_zero_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.uimad_wide <u32> %arg0, %0, neg %arg4 : (!ori.ur, !ori.ur, !ori.ur64) -> !ori.ur64
// CHECK-NEXT: ori.ret %1 : !ori.ur64
ori.func @uimad_wide_zero_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur64) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %r = ori.uimad_wide <u32> %a, %z, neg %d : (!ori.ur, !ori.ur, !ori.ur64) -> !ori.ur64
  ori.ret %r : !ori.ur64
}
