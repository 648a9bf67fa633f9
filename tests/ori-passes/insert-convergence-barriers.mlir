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

// The inner branch meets where the outer one does: its threads wait in a block in front of that one, which the
// other threads do not pass.
// STATS: (S) 2 num-regions
// CHECK-LABEL: @nested
// CHECK: %[[OUTER:.*]] = ori.bssy : !ori.b
// CHECK-NEXT: ori.cond_bra
// CHECK: %[[INNER:.*]] = ori.bssy : !ori.b
// CHECK-NEXT: ori.cond_bra
// CHECK: ori.bsync %[[INNER]]
// CHECK-NEXT: ori.bra ^[[JOIN:bb[0-9]+]]
// CHECK: ^[[JOIN]]:
// CHECK-NEXT: ori.bsync %[[OUTER]]
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
