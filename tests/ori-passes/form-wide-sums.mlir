// Sums of a pair and a scaled word.
//
// RUN: orison-opt --ori-form-wide-sums %s | FileCheck %s

// The offset of a loop is a word with its sign, times two: one instruction adds it, and the loop needs no
// high word of it.
// CHECK-LABEL: ori.func kernel @offset(
// CHECK: ^bb1(%{{.*}}: !ori.r, %[[P:.*]]: !ori.r64):
// CHECK: %[[TWO:.*]] = ori.imm 2 : !ori.r
// CHECK-NEXT: %[[S:.*]] = ori.imad_wide <s32> %[[X:.*]], %[[TWO]], %[[P]]
// CHECK-NOT: ori.iadd3 <extended>
// CHECK: %[[H:.*]] = ori.extract %[[S]][1]
// CHECK: %[[L:.*]] = ori.extract %[[S]][0]
// CHECK: ori.concat %[[L]], %[[H]]
// CHECK: ori.ldg
ori.func kernel @offset() target "sm_90" {
  %base = ori.cbank[0, 528] : !ori.r64
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %sign = ori.imm 31 : !ori.r
  %x = ori.s2r <register = "SR_TID.X"> : !ori.r
  %high = ori.shf <right, s32, high> %zero, %sign, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %low2 = ori.shf <left, u32> %x, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %high2 = ori.shf <left, u64, high> %x, %one, %high : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^bb1(%zero, %base : !ori.r, !ori.r64)
^bb1(%i: !ori.r, %p: !ori.r64):
  %p0 = ori.extract %p[0] : (!ori.r64) -> !ori.r
  %p1 = ori.extract %p[1] : (!ori.r64) -> !ori.r
  %s0, %carry = ori.iadd3 %p0, %low2, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  %s1 = ori.iadd3 <extended> %high2, %p1, %zero carry(%carry) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %address = ori.concat %s0, %s1 : (!ori.r, !ori.r) -> !ori.r64
  %v = ori.ldg <b32> [%address] : (!ori.r64) -> !ori.r
  ori.stg <b32> [%p], %v : (!ori.r64, !ori.r) -> ()
  %j = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %j, %x : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^bb1(%j, %address : !ori.r, !ori.r64), ^bb2 : !ori.p
^bb2:
  ori.exit
}

// The words of different pairs are no pair, and a high word that something else reads stays.
// CHECK-LABEL: ori.func @kept(
// CHECK-NOT: ori.imad_wide
// CHECK: ori.ret
ori.func @kept(%p: !ori.r64, %q: !ori.r64, %x: !ori.r) -> (!ori.r64, !ori.r64, !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %sign = ori.imm 31 : !ori.r
  %high = ori.shf <right, s32, high> %zero, %sign, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %p0 = ori.extract %p[0] : (!ori.r64) -> !ori.r
  %p1 = ori.extract %p[1] : (!ori.r64) -> !ori.r
  %q1 = ori.extract %q[1] : (!ori.r64) -> !ori.r
  %s0, %carry = ori.iadd3 %p0, %x, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  %s1 = ori.iadd3 <extended> %q1, %high, %zero carry(%carry) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %mixed = ori.concat %s0, %s1 : (!ori.r, !ori.r) -> !ori.r64
  %t0, %carry2 = ori.iadd3 %p0, %x, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  %t1 = ori.iadd3 <extended> %p1, %high, %zero carry(%carry2) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %sum = ori.concat %t0, %t1 : (!ori.r, !ori.r) -> !ori.r64
  ori.ret %mixed, %sum, %high : !ori.r64, !ori.r64, !ori.r
}
