// Copies, selections, guards that are known: phase 29.
//
// RUN: orison-opt --ori-copy-propagation %s | FileCheck %s

// CHECK-LABEL: ori.func @moves(
// CHECK-SAME: %[[A:.*]]: !ori.r, %[[U:.*]]: !ori.ur, %[[P:.*]]: !ori.p)
// A copy of a copy; a guarded copy is undefined elsewhere, and so may be its source everywhere.
// Copies from a uniform register (a different class) and copies with an `else` value are kept.
// CHECK-NEXT: %[[FROM_UNIFORM:.*]] = ori.mov %[[U]]
// CHECK-NEXT: %[[ELSE:.*]] = ori.mov %[[A]] if %[[P]] else %[[FROM_UNIFORM]]
// CHECK-NEXT: ori.ret %[[A]], %[[A]], %[[FROM_UNIFORM]], %[[ELSE]]
ori.func @moves(%a: !ori.r, %u: !ori.ur, %p: !ori.p) -> (!ori.r, !ori.r, !ori.r, !ori.r) target "sm_80" {
  %b = ori.mov %a : (!ori.r) -> !ori.r
  %c = ori.mov %b : (!ori.r) -> !ori.r
  %d = ori.mov %a if %p : (!ori.r, !ori.p) -> !ori.r
  %e = ori.mov %u : (!ori.ur) -> !ori.r
  %f = ori.mov %a if %p else %e : (!ori.r, !ori.p, !ori.r) -> !ori.r
  ori.ret %c, %d, %e, %f : !ori.r, !ori.r, !ori.r, !ori.r
}

// CHECK-LABEL: ori.func @selections(
// CHECK-SAME: %[[A:.*]]: !ori.r, %[[B:.*]]: !ori.r, %[[P:.*]]: !ori.p)
// CHECK: %[[STAYS:.*]] = ori.sel %[[A]], %[[B]], %[[P]]
// CHECK-NEXT: ori.ret %[[A]], %[[A]], %[[B]], %[[STAYS]], %[[B]]
ori.func @selections(%a: !ori.r, %b: !ori.r, %p: !ori.p) -> (!ori.r, !ori.r, !ori.r, !ori.r, !ori.r) target "sm_80" {
  %true = ori.imm 1 : !ori.p
  %same = ori.sel %a, %a, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %known = ori.sel %a, %b, %true : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %inverted = ori.sel %a, %b, not %true : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %stays = ori.sel %a, %b, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  // The second input.
  %table = ori.lop3 <lut = 204> %a, %b, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %same, %known, %inverted, %stays, %table : !ori.r, !ori.r, !ori.r, !ori.r, !ori.r
}

// CHECK-LABEL: ori.func @guards(
// CHECK-SAME: %[[Q:.*]]: !ori.r64, %[[A:.*]]: !ori.r)
// CHECK: %[[SUM:.*]] = ori.iadd3 %[[A]], neg %[[A]], %[[A]] : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.stg <b32> [%[[Q]]], %[[SUM]] : (!ori.r64, !ori.r) -> ()
// CHECK-NEXT: %[[ANY:.*]] = ori.undef : !ori.r
// CHECK-NEXT: ori.ret %[[A]], %[[ANY]]
ori.func @guards(%q: !ori.r64, %a: !ori.r) -> (!ori.r, !ori.r) target "sm_80" {
  %true = ori.imm 1 : !ori.p
  %false = ori.imm 0 : !ori.p
  %sum = ori.iadd3 %a, neg %a, %a if %true : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  ori.stg <b32> [%q], %sum if not %false : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.stg <b32> [%q + 4], %sum if %false : (!ori.r64, !ori.r, !ori.p) -> ()
  %never = ori.ldg <b32> [%q] if not %true else %a : (!ori.r64, !ori.p, !ori.r) -> !ori.r
  %undefined = ori.ldg <b32> [%q] if not %true : (!ori.r64, !ori.p) -> !ori.r
  ori.ret %never, %undefined : !ori.r, !ori.r
}

// CHECK-LABEL: ori.func @parts(
// CHECK-SAME: %[[W:.*]]: !ori.r64, %[[A:.*]]: !ori.r, %[[B:.*]]: !ori.r)
// CHECK: %[[LOW:.*]] = ori.extract %[[W]][0]
// CHECK: %[[HIGH:.*]] = ori.extract %[[W]][1]
// CHECK: %[[TURNED:.*]] = ori.concat %[[HIGH]], %[[LOW]] :
// CHECK: ori.ret %[[B]], %[[W]], %[[TURNED]]
ori.func @parts(%w: !ori.r64, %a: !ori.r, %b: !ori.r) -> (!ori.r, !ori.r64, !ori.r64) target "sm_80" {
  %pair = ori.concat %a, %b : (!ori.r, !ori.r) -> !ori.r64
  %high = ori.extract %pair[1] : (!ori.r64) -> !ori.r
  %low_word = ori.extract %w[0] : (!ori.r64) -> !ori.r
  %high_word = ori.extract %w[1] : (!ori.r64) -> !ori.r
  %again = ori.concat %low_word, %high_word : (!ori.r, !ori.r) -> !ori.r64
  %turned = ori.concat %high_word, %low_word : (!ori.r, !ori.r) -> !ori.r64
  ori.ret %high, %again, %turned : !ori.r, !ori.r64, !ori.r64
}

// An argument for which every branch passes the same value or the argument itself.
// CHECK-LABEL: ori.func @arguments(
// CHECK-SAME: %[[A:.*]]: !ori.r, %[[P:.*]]: !ori.p)
// CHECK-NEXT: ori.bra ^[[HEAD:.*]]
// CHECK-NEXT: ^[[HEAD]]:
// CHECK-NEXT: ori.cond_bra %[[P]], ^[[HEAD]], ^[[OUT:.*]] : !ori.p
// CHECK: ori.ret %[[A]]
ori.func @arguments(%a: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  ori.bra ^head(%a : !ori.r)
^head(%x: !ori.r):
  %y = ori.mov %x : (!ori.r) -> !ori.r
  ori.cond_bra %p, ^head(%y : !ori.r), ^out : !ori.p
^out:
  ori.ret %x : !ori.r
}
