// RUN: orison-opt %s --split-input-file --ori-fold-offsets --ori-perform-live-dead | FileCheck %s

// The copies of an unrolled loop: each address is the one in front of it and 4, so that all have one base.
// CHECK-LABEL: @chain
// CHECK-SAME: (%[[P:[a-z0-9]+]]: !ori.r64)
// CHECK-NOT: ori.iadd3
// CHECK: ori.ldg <b32> [%[[P]]]
// CHECK-NOT: ori.iadd3
// CHECK: ori.ldg <b32> [%[[P]] + 4]
// CHECK: ori.ldg <b32> [%[[P]] + 24]
ori.func @chain(%p: !ori.r64) -> (!ori.r, !ori.r, !ori.r) target "sm_90" {
  %four = ori.imm 4 : !ori.r
  %zero = ori.imm 0 : !ori.r
  %a = ori.ldg <b32> [%p] : (!ori.r64) -> !ori.r
  %low = ori.extract %p[0] : (!ori.r64) -> !ori.r
  %high = ori.extract %p[1] : (!ori.r64) -> !ori.r
  %l1, %c1 = ori.iadd3 %low, %four, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  %h1 = ori.iadd3 <extended> %high, %zero, %zero carry(%c1) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %p1 = ori.concat %l1, %h1 : (!ori.r, !ori.r) -> !ori.r64
  %b = ori.ldg <b32> [%p1] : (!ori.r64) -> !ori.r
  %l2, %c2 = ori.iadd3 %l1, %four, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  %h2 = ori.iadd3 <extended> %h1, %zero, %zero carry(%c2) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %p2 = ori.concat %l2, %h2 : (!ori.r, !ori.r) -> !ori.r64
  %c = ori.ldg <b32> [%p2 + 16] : (!ori.r64) -> !ori.r
  ori.ret %a, %b, %c : !ori.r, !ori.r, !ori.r
}

// -----

// The base of an access in front of it in the block: the sum of two values, and 4096 more.
// CHECK-LABEL: @leader
// CHECK: %[[A:[0-9]+]] = ori.iadd3
// CHECK-NEXT: ori.lds <b32> [%[[A]]]
// CHECK-NEXT: ori.lds <b32> [%[[A]] + 4096]
ori.func @leader(%x: !ori.r, %y: !ori.r) -> (!ori.r, !ori.r) target "sm_90" {
  %page = ori.imm 4096 : !ori.r
  %zero = ori.imm 0 : !ori.r
  %p = ori.iadd3 %x, %y, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %q = ori.iadd3 %x, %y, %page : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %a = ori.lds <b32> [%p] : (!ori.r) -> !ori.r
  %b = ori.lds <b32> [%q] : (!ori.r) -> !ori.r
  ori.ret %a, %b : !ori.r, !ori.r
}

// -----

// An offset has 24 bits: 8388604 and 4 are too much.
// CHECK-LABEL: @far
// CHECK: %[[Q:[0-9]+]] = ori.iadd3
// CHECK: ori.lds <b32> [%[[Q]] + 8388604]
ori.func @far(%x: !ori.r) -> !ori.r target "sm_90" {
  %four = ori.imm 4 : !ori.r
  %zero = ori.imm 0 : !ori.r
  %q = ori.iadd3 %x, %four, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %a = ori.lds <b32> [%q + 8388604] : (!ori.r) -> !ori.r
  ori.ret %a : !ori.r
}
