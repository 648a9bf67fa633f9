// Sums of integers. Functions are named like the rules; `_not` is what a rule leaves alone.
//
// RUN: orison-opt --ori-peephole %s | FileCheck %s

// ori-iadd3-zeros: both zeros are removed
// CHECK-LABEL: @iadd3_zeros(
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @iadd3_zeros(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %r = ori.iadd3 %a, %z, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-iadd3-zeros: no match: the sign would be lost
// CHECK-LABEL: @iadd3_zeros_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.iadd3 neg %arg0, %0, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @iadd3_zeros_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %r = ori.iadd3 neg %a, %z, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-iadd3-opposite: x - x is zero
// CHECK-LABEL: @iadd3_opposite(
// CHECK-NEXT: ori.ret %arg1 : !ori.r
ori.func @iadd3_opposite(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.iadd3 %a, neg %a, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-iadd3-opposite: no match: these are two values
// CHECK-LABEL: @iadd3_opposite_not(
// CHECK-NEXT: %0 = ori.iadd3 %arg0, neg %arg2, %arg1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @iadd3_opposite_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.iadd3 %a, neg %c, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-iadd3-inverted: x + not x is -1
// CHECK-LABEL: @iadd3_inverted(
// CHECK-NEXT: %0 = ori.imm -1 : !ori.r
// CHECK-NEXT: %1 = ori.imm 0 : !ori.r
// CHECK-NEXT: %2 = ori.iadd3 %arg1, %0, %1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %2 : !ori.r
ori.func @iadd3_inverted(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.iadd3 %a, not %a, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-iadd3-inverted: no match: these are two values
// CHECK-LABEL: @iadd3_inverted_not(
// CHECK-NEXT: %0 = ori.iadd3 %arg0, not %arg2, %arg1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @iadd3_inverted_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %r = ori.iadd3 %a, not %c, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-iadd3-constants: two constants are folded
// CHECK-LABEL: @iadd3_constants(
// CHECK-NEXT: %0 = ori.imm -2 : !ori.r
// CHECK-NEXT: %1 = ori.imm 0 : !ori.r
// CHECK-NEXT: %2 = ori.iadd3 %arg0, %0, %1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %2 : !ori.r
ori.func @iadd3_constants(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 5 : !ori.r
  %l = ori.imm -7 : !ori.r
  %r = ori.iadd3 %k, %a, %l : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-iadd3-constants: no match: one of them is zero
// CHECK-LABEL: @iadd3_constants_not(
// CHECK-NEXT: %0 = ori.imm 5 : !ori.r
// CHECK-NEXT: %1 = ori.imm 0 : !ori.r
// CHECK-NEXT: %2 = ori.iadd3 %0, %arg0, %1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %2 : !ori.r
ori.func @iadd3_constants_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 5 : !ori.r
  %z = ori.imm 0 : !ori.r
  %r = ori.iadd3 %k, %a, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-iadd3-chain-constants: constants of a chain are folded
// CHECK-LABEL: @iadd3_chain_constants(
// CHECK-NEXT: %0 = ori.imm -2 : !ori.r
// CHECK-NEXT: %1 = ori.iadd3 %arg0, %0, %arg1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @iadd3_chain_constants(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %k = ori.imm 5 : !ori.r
  %l = ori.imm -7 : !ori.r
  %z = ori.imm 0 : !ori.r
  %x = ori.iadd3 %a, %k, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.iadd3 %x, %l, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-iadd3-chain-constants: no match: the first sum has another use
// CHECK-LABEL: @iadd3_chain_constants_not(
// CHECK-NEXT: %0 = ori.imm 5 : !ori.r
// CHECK-NEXT: %1 = ori.imm -7 : !ori.r
// CHECK-NEXT: %2 = ori.imm 0 : !ori.r
// CHECK-NEXT: %3 = ori.iadd3 %arg0, %0, %2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %4 = ori.iadd3 %3, %1, %arg1 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %5 = ori.popc %3 : (!ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %4, %5 : !ori.r, !ori.r
ori.func @iadd3_chain_constants_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r, !ori.r) target "sm_100a" {
  %k = ori.imm 5 : !ori.r
  %l = ori.imm -7 : !ori.r
  %z = ori.imm 0 : !ori.r
  %x = ori.iadd3 %a, %k, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.iadd3 %x, %l, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %s = ori.popc %x : (!ori.r) -> !ori.r
  ori.ret %r, %s : !ori.r, !ori.r
}

// ori-iadd3-chain: two sums are combined
// CHECK-LABEL: @iadd3_chain(
// CHECK-NEXT: %0 = ori.iadd3 %arg0, %arg1, %arg2 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %0 : !ori.r
ori.func @iadd3_chain(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %x = ori.iadd3 %a, %b, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.iadd3 %x, %c, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-iadd3-chain: no match: the first sum is negated
// CHECK-LABEL: @iadd3_chain_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.r
// CHECK-NEXT: %1 = ori.iadd3 %arg0, %arg1, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %2 = ori.iadd3 neg %1, %arg2, %0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %2 : !ori.r
ori.func @iadd3_chain_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %x = ori.iadd3 %a, %b, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.iadd3 neg %x, %c, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-viadd-zero: a sum with zero is the other term
// CHECK-LABEL: @viadd_zero(
// CHECK-NEXT: ori.ret %arg0 : !ori.r
ori.func @viadd_zero(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 0 : !ori.r
  %r = ori.viadd %a, %z : (!ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}

// ori-viadd-zero: no match: one is not zero
// CHECK-LABEL: @viadd_zero_not(
// CHECK-NEXT: %0 = ori.imm 1 : !ori.r
// CHECK-NEXT: %1 = ori.viadd %arg0, %0 : (!ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %1 : !ori.r
ori.func @viadd_zero_not(%a: !ori.r, %b: !ori.r, %c: !ori.r, %u: !ori.ur, %d: !ori.r64, %e: !ori.r64, %w: !ori.r128, %p: !ori.p, %q: !ori.p, %o: !ori.p) -> (!ori.r) target "sm_100a" {
  %z = ori.imm 1 : !ori.r
  %r = ori.viadd %a, %z : (!ori.r, !ori.r) -> !ori.r
  ori.ret %r : !ori.r
}
