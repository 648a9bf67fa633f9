// Sums of integers, uniform twins. Functions are named like the rules; `_not` is what a rule leaves alone.
//
// RUN: orison-opt --ori-peephole %s | FileCheck %s

// ori-uiadd3-zeros: both zeros are removed
// CHECK-LABEL: @uiadd3_zeros(
// CHECK-NEXT: ori.ret %arg0 : !ori.ur
ori.func @uiadd3_zeros(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %r = ori.uiadd3 %a, %z, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uiadd3-zeros: no match: the sign would be lost
// CHECK-LABEL: @uiadd3_zeros_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.uiadd3 neg %arg0, %0, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @uiadd3_zeros_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %r = ori.uiadd3 neg %a, %z, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uiadd3-opposite: x - x is zero
// CHECK-LABEL: @uiadd3_opposite(
// CHECK-NEXT: ori.ret %arg1 : !ori.ur
ori.func @uiadd3_opposite(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.uiadd3 %a, neg %a, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uiadd3-opposite: no match: these are two values
// CHECK-LABEL: @uiadd3_opposite_not(
// CHECK-NEXT: %0 = ori.uiadd3 %arg0, neg %arg2, %arg1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @uiadd3_opposite_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.uiadd3 %a, neg %c, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uiadd3-inverted: x + not x is -1
// CHECK-LABEL: @uiadd3_inverted(
// CHECK-NEXT: %0 = ori.imm -1 : !ori.ur
// CHECK-NEXT: %1 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %2 = ori.uiadd3 %arg1, %0, %1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %2 : !ori.ur
ori.func @uiadd3_inverted(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.uiadd3 %a, not %a, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uiadd3-inverted: no match: these are two values
// CHECK-LABEL: @uiadd3_inverted_not(
// CHECK-NEXT: %0 = ori.uiadd3 %arg0, not %arg2, %arg1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @uiadd3_inverted_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %r = ori.uiadd3 %a, not %c, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uiadd3-constants: two constants are folded
// CHECK-LABEL: @uiadd3_constants(
// CHECK-NEXT: %0 = ori.imm -2 : !ori.ur
// CHECK-NEXT: %1 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %2 = ori.uiadd3 %arg0, %0, %1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %2 : !ori.ur
ori.func @uiadd3_constants(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm 5 : !ori.ur
  %l = ori.imm -7 : !ori.ur
  %r = ori.uiadd3 %k, %a, %l : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uiadd3-constants: no match: one of them is zero
// CHECK-LABEL: @uiadd3_constants_not(
// CHECK-NEXT: %0 = ori.imm 5 : !ori.ur
// CHECK-NEXT: %1 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %2 = ori.uiadd3 %0, %arg0, %1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %2 : !ori.ur
ori.func @uiadd3_constants_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm 5 : !ori.ur
  %z = ori.imm 0 : !ori.ur
  %r = ori.uiadd3 %k, %a, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uiadd3-chain-constants: constants of a chain are folded
// CHECK-LABEL: @uiadd3_chain_constants(
// CHECK-NEXT: %0 = ori.imm -2 : !ori.ur
// CHECK-NEXT: %1 = ori.uiadd3 %arg0, %0, %arg1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %1 : !ori.ur
ori.func @uiadd3_chain_constants(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %k = ori.imm 5 : !ori.ur
  %l = ori.imm -7 : !ori.ur
  %z = ori.imm 0 : !ori.ur
  %x = ori.uiadd3 %a, %k, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.uiadd3 %x, %l, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uiadd3-chain-constants: no match: the first sum has another use
// CHECK-LABEL: @uiadd3_chain_constants_not(
// CHECK-NEXT: %0 = ori.imm 5 : !ori.ur
// CHECK-NEXT: %1 = ori.imm -7 : !ori.ur
// CHECK-NEXT: %2 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %3 = ori.uiadd3 %arg0, %0, %2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %4 = ori.uiadd3 %3, %1, %arg1 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %5 = ori.upopc %3 : (!ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %4, %5 : !ori.ur, !ori.ur
ori.func @uiadd3_chain_constants_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur, !ori.ur) target "sm_100a" {
  %k = ori.imm 5 : !ori.ur
  %l = ori.imm -7 : !ori.ur
  %z = ori.imm 0 : !ori.ur
  %x = ori.uiadd3 %a, %k, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.uiadd3 %x, %l, %b : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %s = ori.upopc %x : (!ori.ur) -> !ori.ur
  ori.ret %r, %s : !ori.ur, !ori.ur
}

// ori-uiadd3-chain: two sums are combined
// CHECK-LABEL: @uiadd3_chain(
// CHECK-NEXT: %0 = ori.uiadd3 %arg0, %arg1, %arg2 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %0 : !ori.ur
ori.func @uiadd3_chain(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %x = ori.uiadd3 %a, %b, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.uiadd3 %x, %c, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}

// ori-uiadd3-chain: no match: the first sum is negated
// CHECK-LABEL: @uiadd3_chain_not(
// CHECK-NEXT: %0 = ori.imm 0 : !ori.ur
// CHECK-NEXT: %1 = ori.uiadd3 %arg0, %arg1, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: %2 = ori.uiadd3 neg %1, %arg2, %0 : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
// CHECK-NEXT: ori.ret %2 : !ori.ur
ori.func @uiadd3_chain_not(%a: !ori.ur, %b: !ori.ur, %c: !ori.ur, %u: !ori.ur, %d: !ori.ur64, %e: !ori.ur64, %w: !ori.r128, %p: !ori.up, %q: !ori.up, %o: !ori.up) -> (!ori.ur) target "sm_100a" {
  %z = ori.imm 0 : !ori.ur
  %x = ori.uiadd3 %a, %b, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %r = ori.uiadd3 neg %x, %c, %z : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  ori.ret %r : !ori.ur
}
