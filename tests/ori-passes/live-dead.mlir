// Dead code elimination: phases 10, 16, 33, 61, 84.
//
// RUN: orison-opt --ori-perform-live-dead %s | FileCheck %s

// The operands of dead operations are dead too; operations with side effects are kept.
// CHECK-LABEL: ori.func kernel @effects()
// CHECK-NEXT: %[[P:.*]] = ori.cbank[0, 352]
// CHECK-NEXT: %[[ONE:.*]] = ori.imm 1
// Unused atomic operations, ordered loads, barriers and unmodelled instructions are kept.
// CHECK-NEXT: ori.atomg <add, u32> [%[[P]]], %[[ONE]]
// CHECK-NEXT: ori.ldg <b32, strong, gpu> [%[[P]]]
// CHECK-NEXT: ori.bar <sync, index = 0>
// CHECK-NEXT: ori.inst <mnemonic = "FROBNICATE">
// CHECK-NEXT: ori.stg
// CHECK-NEXT: ori.exit
ori.func kernel @effects() target "sm_80" {
  %p = ori.cbank[0, 352] : !ori.r64
  %one = ori.imm 1 : !ori.r
  %tid = ori.s2r <register = "SR_TID.X"> : !ori.r
  %dead = ori.iadd3 %tid, %one, %one : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %deader = ori.imad %dead, %dead, %one : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %load = ori.ldg <b32> [%p] : (!ori.r64) -> !ori.r
  %lane = ori.shfl <idx> %one, %one, %one : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %clock = ori.cs2r <register = "SR_CLOCKLO"> : !ori.r
  %old = ori.atomg <add, u32> [%p], %one : (!ori.r64, !ori.r) -> !ori.r
  %ordered = ori.ldg <b32, strong, gpu> [%p] : (!ori.r64) -> !ori.r
  ori.bar <sync, index = 0>
  %what = ori.inst <mnemonic = "FROBNICATE"> inputs(%one) : (!ori.r) -> !ori.r
  ori.stg <b32> [%p], %one : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// Values that only feed themselves around a loop are erased with their block arguments; the counter is
// kept.
// CHECK-LABEL: ori.func kernel @around()
// CHECK: ori.bra ^[[HEAD:.*]](%{{.*}} : !ori.r)
// CHECK: ^[[HEAD]](%[[I:.*]]: !ori.r):
// CHECK-NEXT: %[[NEXT:.*]] = ori.iadd3 %[[I]]
// CHECK-NEXT: %[[MORE:.*]] = ori.isetp
// CHECK-NEXT: ori.cond_bra %[[MORE]], ^[[HEAD]](%[[NEXT]] : !ori.r), ^[[OUT:.*]] : !ori.p
ori.func kernel @around() target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %n = ori.cbank[0, 352] : !ori.r
  ori.bra ^head(%one, %zero : !ori.r, !ori.r)
^head(%dead: !ori.r, %i: !ori.r):
  %more_dead = ori.imad %dead, %dead, %i : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%more_dead, %next : !ori.r, !ori.r), ^out : !ori.p
^out:
  ori.exit
}

// Optional results: a carry, the opposite outcome. A result before one that is used
// stays.
// CHECK-LABEL: ori.func @results(
// CHECK-NEXT: %[[SUM:.*]] = ori.iadd3 %{{.*}}, %{{.*}}, %{{.*}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %[[IS:.*]] = ori.isetp <lt, s32, and> %{{.*}}, %{{.*}} : (!ori.r, !ori.r) -> !ori.p
// CHECK-NEXT: %[[BALLOT:.*]]:2 = ori.vote
// CHECK-NEXT: ori.ret
ori.func @results(%a: !ori.r, %b: !ori.r, %p: !ori.p) -> (!ori.r, !ori.p, !ori.p) target "sm_80" {
  %sum:2 = ori.iadd3 %a, %b, %a : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  %is:2 = ori.isetp <lt, s32, and> %a, %b : (!ori.r, !ori.r) -> (!ori.p, !ori.p)
  %vote:2 = ori.vote <any> %p : (!ori.p) -> (!ori.r, !ori.p)
  ori.ret %sum#0, %is#0, %vote#1 : !ori.r, !ori.p, !ori.p
}

// A wait for loads of tensor memory hands on only those that are read behind it.
// CHECK-LABEL: ori.func kernel @loads()
// CHECK: %[[EARLY:.*]] = ori.tcgen05.ld <s32x32b, repeat = 2>
// CHECK-NEXT: %[[LATE:.*]] = ori.tcgen05.ld <s32x32b, repeat = 2>
// CHECK-NEXT: %[[DONE:.*]] = ori.tcgen05.wait_ld values(%[[LATE]]) : (!ori.r64) -> !ori.r64
// CHECK-NEXT: ori.stg <b64> [%{{.*}}], %[[EARLY]]
// CHECK-NEXT: ori.stg <b64> [%{{.*}}], %[[DONE]]
// CHECK-NEXT: ori.exit
// CHECK-LABEL: ori.func kernel @early()
// CHECK: %[[OTHER:.*]] = ori.tcgen05.ld
// CHECK-NEXT: ori.stg <b64> [%{{.*}}], %[[OTHER]]
// CHECK-NEXT: ori.tcgen05.wait_ld{{$}}
ori.func kernel @loads() target "sm_100a" {
  %p = ori.cbank[0, 352] : !ori.r64
  %t = ori.uldc <b32, bank = 0> [360] : !ori.ur
  %early = ori.tcgen05.ld <s32x32b, repeat = 2> %t : (!ori.ur) -> !ori.r64
  %late = ori.tcgen05.ld <s32x32b, repeat = 2> %t : (!ori.ur) -> !ori.r64
  %done:2 = ori.tcgen05.wait_ld values(%early, %late) : (!ori.r64, !ori.r64) -> (!ori.r64, !ori.r64)
  ori.stg <b64> [%p], %early : (!ori.r64, !ori.r64) -> ()
  ori.stg <b64> [%p], %done#1 : (!ori.r64, !ori.r64) -> ()
  ori.exit
}

ori.func kernel @early() target "sm_100a" {
  %p = ori.cbank[0, 352] : !ori.r64
  %t = ori.uldc <b32, bank = 0> [360] : !ori.ur
  %other = ori.tcgen05.ld <s32x32b, repeat = 2> %t : (!ori.ur) -> !ori.r64
  ori.stg <b64> [%p], %other : (!ori.r64, !ori.r64) -> ()
  %none = ori.tcgen05.wait_ld values(%other) : (!ori.r64) -> !ori.r64
  ori.exit
}
