// RUN: orison-opt %s --split-input-file --ori-insert-convergence-barriers | FileCheck %s
// RUN: orison-opt %s --split-input-file --ori-insert-convergence-barriers --mlir-pass-statistics -o %t 2>&1 | FileCheck %s --check-prefix=STATS

// Threads part at the branch and meet in the last block.
// STATS: (S) 1 num-regions
// CHECK-LABEL: @diamond
// CHECK: %[[B:.*]] = ori.bssy : !ori.b
// CHECK-NEXT: ori.cond_bra
// CHECK: ^bb3:
// CHECK-NEXT: ori.bsync %[[B]]
ori.func kernel @diamond() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %t = ori.s2r <register = "SR_TID.X"> : !ori.r
  %z = ori.imm 16 : !ori.r
  %p = ori.isetp <lt, s32, and> %t, %z : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p, ^one, ^two : !ori.p
^one:
  ori.stg <b32> [%q], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^both
^two:
  ori.stg <b32> [%q + 4], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^both
^both:
  ori.stg <b32> [%q + 8], %t : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// All threads take the same way: nothing to wait for.
// STATS: (S) 0 num-regions
// CHECK-LABEL: @uniform
// CHECK-NOT: ori.bssy
ori.func kernel @uniform() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %n = ori.cbank[0, 536] : !ori.r
  %z = ori.imm 16 : !ori.r
  %p = ori.isetp <lt, s32, and> %n, %z : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p, ^one, ^both : !ori.p
^one:
  ori.stg <b32> [%q], %n : (!ori.r64, !ori.r) -> ()
  ori.bra ^both
^both:
  ori.exit
}

// -----

// Threads leave the loop in different iterations: the region begins in front of it.
// STATS: (S) 1 num-regions
// CHECK-LABEL: @loop
// CHECK: %[[B:.*]] = ori.bssy : !ori.b
// CHECK-NEXT: ori.bra ^bb1
// CHECK: ^bb1(
// CHECK-NOT: ori.bssy
// CHECK: ori.cond_bra
// CHECK: ^bb2:
// CHECK-NEXT: ori.bsync %[[B]]
ori.func kernel @loop() target "sm_90" {
  %t = ori.s2r <register = "SR_TID.X"> : !ori.r
  %q = ori.cbank[0, 528] : !ori.r64
  %z = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^loop(%z : !ori.r)
^loop(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %one, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %p = ori.isetp <lt, s32, and> %next, %t : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p, ^loop(%next : !ori.r), ^end : !ori.p
^end:
  ori.stg <b32> [%q + 4], %t : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// The inner branch meets where the outer one does: its threads wait there once.
// STATS: (S) 1 num-regions
// CHECK-LABEL: @nested
// CHECK: %[[OUTER:.*]] = ori.bssy : !ori.b
// CHECK-NEXT: ori.cond_bra
// CHECK-NOT: ori.bssy
// CHECK: ori.bsync %[[OUTER]]
// CHECK-NOT: ori.bsync
// CHECK: ori.exit
ori.func kernel @nested() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %t = ori.s2r <register = "SR_TID.X"> : !ori.r
  %z = ori.imm 16 : !ori.r
  %y = ori.imm 8 : !ori.r
  %p = ori.isetp <lt, s32, and> %t, %z : (!ori.r, !ori.r) -> !ori.p
  %s = ori.isetp <lt, s32, and> %t, %y : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p, ^one, ^both : !ori.p
^one:
  ori.stg <b32> [%q], %t : (!ori.r64, !ori.r) -> ()
  ori.cond_bra %s, ^two, ^both : !ori.p
^two:
  ori.stg <b32> [%q + 4], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^both
^both:
  ori.stg <b32> [%q + 8], %t : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// Block ^three is reached from both ways of the first branch: threads of the second branch that come through it would
// wait for others in front of ^end if the second branch had a region of its own.
// STATS: (S) 1 num-regions
// CHECK-LABEL: @crossing
// CHECK: %[[B:.*]] = ori.bssy : !ori.b
// CHECK-NEXT: ori.cond_bra
// CHECK-NOT: ori.bssy
// CHECK: ori.bsync %[[B]]
// CHECK-NEXT: ori.stg <b32> [%{{.*}} + 8]
// CHECK-NOT: ori.bsync
// CHECK: ori.exit
ori.func kernel @crossing() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %t = ori.s2r <register = "SR_TID.X"> : !ori.r
  %z = ori.imm 16 : !ori.r
  %y = ori.imm 8 : !ori.r
  %p = ori.isetp <lt, s32, and> %t, %z : (!ori.r, !ori.r) -> !ori.p
  %s = ori.isetp <lt, s32, and> %t, %y : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p, ^one, ^two : !ori.p
^one:
  ori.cond_bra %s, ^three, ^end : !ori.p
^two:
  ori.stg <b32> [%q], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^three
^three:
  ori.stg <b32> [%q + 4], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^end
^end:
  ori.stg <b32> [%q + 8], %t : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// The ways meet at a loop that threads leave in different iterations: those of the first branch wait in front of it,
// not in each iteration.
// STATS: (S) 2 num-regions
// CHECK-LABEL: @in_front_of_loop
// CHECK: %[[INNER:.*]] = ori.bssy : !ori.b
// CHECK-NEXT: %[[OUTER:.*]] = ori.bssy : !ori.b
// CHECK: ori.bsync %[[INNER]]
// CHECK-NEXT: ori.bra ^[[LOOP:bb[0-9]+]](
// CHECK: ^[[LOOP]](
// CHECK-NOT: ori.bsync
// CHECK: ori.cond_bra
// CHECK: ori.bsync %[[OUTER]]
// CHECK-NEXT: ori.exit
ori.func kernel @in_front_of_loop() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %n = ori.cbank[0, 536] : !ori.r
  %t = ori.s2r <register = "SR_TID.X"> : !ori.r
  %z = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %p = ori.isetp <lt, s32, and> %t, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p, ^one, ^loop(%z : !ori.r) : !ori.p
^one:
  ori.stg <b32> [%q], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^loop(%z : !ori.r)
^loop(%i: !ori.r):
  ori.stg <b32> [%q + 4], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %one, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %s = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %s, ^loop(%next : !ori.r), ^end : !ori.p
^end:
  ori.exit
}

// -----

// The inner branch meets in front of the outer one: in a block of its own, which other threads do not pass.
// STATS: (S) 2 num-regions
// CHECK-LABEL: @behind_each_other
// CHECK: %[[OUTER:.*]] = ori.bssy : !ori.b
// CHECK-NEXT: ori.cond_bra
// CHECK: %[[INNER:.*]] = ori.bssy : !ori.b
// CHECK-NEXT: ori.cond_bra
// CHECK: ori.bsync %[[INNER]]
// CHECK-NEXT: ori.stg <b32> [%{{.*}} + 4]
// CHECK: ori.bsync %[[OUTER]]
ori.func kernel @behind_each_other() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %t = ori.s2r <register = "SR_TID.X"> : !ori.r
  %z = ori.imm 16 : !ori.r
  %y = ori.imm 8 : !ori.r
  %p = ori.isetp <lt, s32, and> %t, %z : (!ori.r, !ori.r) -> !ori.p
  %s = ori.isetp <lt, s32, and> %t, %y : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p, ^one, ^both : !ori.p
^one:
  ori.cond_bra %s, ^two, ^three : !ori.p
^two:
  ori.stg <b32> [%q], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^three
^three:
  ori.stg <b32> [%q + 4], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^both
^both:
  ori.exit
}

// -----

// Of twelve branches within each other, ten have a barrier.
// STATS: (S) 10 num-regions
// CHECK-LABEL: @deep
// CHECK-COUNT-10: ori.bssy
// CHECK-NOT: ori.bssy
// CHECK-COUNT-10: ori.bsync
// CHECK-NOT: ori.bsync
// CHECK: ori.exit
ori.func kernel @deep() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %t = ori.s2r <register = "SR_TID.X"> : !ori.r
  %n0 = ori.imm 0 : !ori.r
  %p0 = ori.isetp <gt, s32, and> %t, %n0 : (!ori.r, !ori.r) -> !ori.p
  %n1 = ori.imm 1 : !ori.r
  %p1 = ori.isetp <gt, s32, and> %t, %n1 : (!ori.r, !ori.r) -> !ori.p
  %n2 = ori.imm 2 : !ori.r
  %p2 = ori.isetp <gt, s32, and> %t, %n2 : (!ori.r, !ori.r) -> !ori.p
  %n3 = ori.imm 3 : !ori.r
  %p3 = ori.isetp <gt, s32, and> %t, %n3 : (!ori.r, !ori.r) -> !ori.p
  %n4 = ori.imm 4 : !ori.r
  %p4 = ori.isetp <gt, s32, and> %t, %n4 : (!ori.r, !ori.r) -> !ori.p
  %n5 = ori.imm 5 : !ori.r
  %p5 = ori.isetp <gt, s32, and> %t, %n5 : (!ori.r, !ori.r) -> !ori.p
  %n6 = ori.imm 6 : !ori.r
  %p6 = ori.isetp <gt, s32, and> %t, %n6 : (!ori.r, !ori.r) -> !ori.p
  %n7 = ori.imm 7 : !ori.r
  %p7 = ori.isetp <gt, s32, and> %t, %n7 : (!ori.r, !ori.r) -> !ori.p
  %n8 = ori.imm 8 : !ori.r
  %p8 = ori.isetp <gt, s32, and> %t, %n8 : (!ori.r, !ori.r) -> !ori.p
  %n9 = ori.imm 9 : !ori.r
  %p9 = ori.isetp <gt, s32, and> %t, %n9 : (!ori.r, !ori.r) -> !ori.p
  %n10 = ori.imm 10 : !ori.r
  %p10 = ori.isetp <gt, s32, and> %t, %n10 : (!ori.r, !ori.r) -> !ori.p
  %n11 = ori.imm 11 : !ori.r
  %p11 = ori.isetp <gt, s32, and> %t, %n11 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p0, ^in0, ^out0 : !ori.p
^in0:
  ori.cond_bra %p1, ^in1, ^out1 : !ori.p
^in1:
  ori.cond_bra %p2, ^in2, ^out2 : !ori.p
^in2:
  ori.cond_bra %p3, ^in3, ^out3 : !ori.p
^in3:
  ori.cond_bra %p4, ^in4, ^out4 : !ori.p
^in4:
  ori.cond_bra %p5, ^in5, ^out5 : !ori.p
^in5:
  ori.cond_bra %p6, ^in6, ^out6 : !ori.p
^in6:
  ori.cond_bra %p7, ^in7, ^out7 : !ori.p
^in7:
  ori.cond_bra %p8, ^in8, ^out8 : !ori.p
^in8:
  ori.cond_bra %p9, ^in9, ^out9 : !ori.p
^in9:
  ori.cond_bra %p10, ^in10, ^out10 : !ori.p
^in10:
  ori.cond_bra %p11, ^in11, ^out11 : !ori.p
^in11:
  ori.bra ^out11
^out11:
  ori.stg <b32> [%q + 44], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^out10
^out10:
  ori.stg <b32> [%q + 40], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^out9
^out9:
  ori.stg <b32> [%q + 36], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^out8
^out8:
  ori.stg <b32> [%q + 32], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^out7
^out7:
  ori.stg <b32> [%q + 28], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^out6
^out6:
  ori.stg <b32> [%q + 24], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^out5
^out5:
  ori.stg <b32> [%q + 20], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^out4
^out4:
  ori.stg <b32> [%q + 16], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^out3
^out3:
  ori.stg <b32> [%q + 12], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^out2
^out2:
  ori.stg <b32> [%q + 8], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^out1
^out1:
  ori.stg <b32> [%q + 4], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^out0
^out0:
  ori.stg <b32> [%q + 0], %t : (!ori.r64, !ori.r) -> ()
  ori.exit
}
