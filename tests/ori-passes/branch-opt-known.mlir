// Branches that are decided statically: conditions implied by dominating branches, and constants that
// a branch passes.
//
// RUN: orison-opt --ori-branch-opt %s | FileCheck %s
// RUN: orison-opt --ori-branch-opt='knobs=BranchOptKnownConditions=false' %s | FileCheck --check-prefix=ASKED %s
// RUN: orison-opt --ori-branch-opt='knobs=BranchOptThreadLimit=-1' %s | FileCheck --check-prefix=STAYS %s
// RUN: orison-opt --ori-branch-opt='knobs=BranchOptIterations=0' %s | FileCheck --check-prefix=NONE %s

// NONE-LABEL: ori.func kernel @exits(
// NONE-COUNT-4: ori.exit_if

// After a conditional exit its condition is false, also for an equal expression two operations deep. An
// exit on the opposite condition is unconditional, and the operations after it are erased.
// CHECK-LABEL: ori.func kernel @exits(
// CHECK: ori.exit_if %{{.*}} : !ori.p
// CHECK-NOT: ori.exit_if
// CHECK: ori.stg <b32> [%{{.*}}], %
// CHECK-NEXT: ori.exit
// CHECK-NEXT: }
// ASKED-LABEL: ori.func kernel @exits(
// ASKED-COUNT-4: ori.exit_if
ori.func kernel @exits() target "sm_80" {
  %tid = ori.s2r <register = "SR_TID.X"> : !ori.r
  %n = ori.cbank[0, 360] : !ori.r
  %p = ori.cbank[0, 352] : !ori.r64
  %a = ori.iadd3 %tid, %n, %n : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %b = ori.iadd3 %tid, %n, %n : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %past = ori.isetp <ge, s32, and> %a, %n : (!ori.r, !ori.r) -> !ori.p
  %again = ori.isetp <ge, s32, and> %b, %n : (!ori.r, !ori.r) -> !ori.p
  ori.exit_if %past : !ori.p
  ori.exit_if %past : !ori.p
  ori.stg <b32> [%p], %tid : (!ori.r64, !ori.r) -> ()
  ori.exit_if %again : !ori.p
  ori.exit_if not %again : !ori.p
  ori.stg <b32> [%p + 4], %tid : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// Signed and unsigned are other conditions; so is an expression that differs three operations deep.
// CHECK-LABEL: ori.func kernel @other_conditions(
// CHECK-COUNT-3: ori.exit_if
ori.func kernel @other_conditions() target "sm_80" {
  %tid = ori.s2r <register = "SR_TID.X"> : !ori.r
  %n = ori.cbank[0, 360] : !ori.r
  %p = ori.cbank[0, 352] : !ori.r64
  %c = ori.popc %tid : (!ori.r) -> !ori.r
  %d = ori.popc %n : (!ori.r) -> !ori.r
  %a = ori.iadd3 %c, %n, %n : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %b = ori.iadd3 %d, %n, %n : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %first = ori.isetp <ge, s32, and> %a, %n : (!ori.r, !ori.r) -> !ori.p
  %second = ori.isetp <ge, u32, and> %a, %n : (!ori.r, !ori.r) -> !ori.p
  %third = ori.isetp <ge, s32, and> %b, %n : (!ori.r, !ori.r) -> !ori.p
  ori.exit_if %first : !ori.p
  ori.exit_if %second : !ori.p
  ori.exit_if %third : !ori.p
  ori.stg <b32> [%p], %tid : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// The condition is known in the arms of a branch, but not after their join.
// CHECK-LABEL: ori.func @nested(
// CHECK: ori.cond_bra %[[P:.*]], ^[[A:[a-z0-9]*]], ^[[B:[a-z0-9]*]] : !ori.p
// CHECK: ^[[A]]:
// CHECK-NEXT: ori.popc
// CHECK-NEXT: ori.bra
// CHECK: ^[[B]]:
// CHECK-NEXT: ori.brev
// CHECK-NEXT: ori.bra
// CHECK: ori.cond_bra %[[P]],
// ASKED-LABEL: ori.func @nested(
// ASKED-COUNT-4: ori.cond_bra
ori.func @nested(%x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  ori.cond_bra %p, ^a, ^b : !ori.p
^a:
  %y = ori.popc %x : (!ori.r) -> !ori.r
  ori.cond_bra not %p, ^dead, ^meet(%y : !ori.r) : !ori.p
^b:
  %z = ori.brev %x : (!ori.r) -> !ori.r
  ori.cond_bra %p, ^dead, ^meet(%z : !ori.r) : !ori.p
^meet(%v: !ori.r):
  %w = ori.iabs %v : (!ori.r) -> !ori.r
  ori.cond_bra %p, ^end(%w : !ori.r), ^last : !ori.p
^last:
  %u = ori.flo <u32> %w : (!ori.r) -> !ori.r
  ori.bra ^end(%u : !ori.r)
^dead:
  ori.bra ^end(%x : !ori.r)
^end(%value: !ori.r):
  ori.ret %value : !ori.r
}

// An inverted branch leads to its first block where the condition is false.
// CHECK-LABEL: ori.func @inverted(
// CHECK: ori.cond_bra not %{{.*}}, ^[[A:[a-z0-9]*]], ^[[B:[a-z0-9]*]] : !ori.p
// CHECK: ^[[A]]:
// CHECK-NEXT: %[[Y:.*]] = ori.popc
// CHECK-NEXT: ori.ret %[[Y]]
// CHECK: ^[[B]]:
// CHECK-NEXT: %[[Z:.*]] = ori.brev
// CHECK-NEXT: ori.ret %[[Z]]
// CHECK-NEXT: }
ori.func @inverted(%x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  ori.cond_bra not %p, ^a, ^b : !ori.p
^a:
  %y = ori.popc %x : (!ori.r) -> !ori.r
  ori.cond_bra %p, ^dead, ^low : !ori.p
^low:
  ori.ret %y : !ori.r
^b:
  %z = ori.brev %x : (!ori.r) -> !ori.r
  ori.cond_bra not %p, ^dead, ^high : !ori.p
^high:
  ori.ret %z : !ori.r
^dead:
  ori.ret %x : !ori.r
}

// A state machine: the next state is a constant in some predecessors, which branch to its block
// directly, with the values the block would have computed; the predecessor that passes a register
// still tests it.
// CHECK-LABEL: ori.func @switch(
// CHECK-SAME: %[[X:.*]]: !ori.r, %[[S:.*]]: !ori.r, %[[P:.*]]: !ori.p, %[[Q:.*]]: !ori.p)
// CHECK: ori.cond_bra %[[P]], ^[[ONE:[a-z0-9]*]](%[[FIVE:.*]] : !ori.r), ^[[OTHER:[a-z0-9]*]]
// CHECK: ^[[OTHER]]:
// CHECK: ori.brx
// STAYS-LABEL: ori.func @switch(
// STAYS: ori.cond_bra %{{.*}}, ^[[ASK:[a-z0-9]*]](%{{.*}}, %{{.*}} : !ori.r, !ori.r), ^
ori.func @switch(%x: !ori.r, %s: !ori.r, %p: !ori.p, %q: !ori.p) -> !ori.r target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %three = ori.imm 3 : !ori.r
  %four = ori.imm 4 : !ori.r
  ori.cond_bra %p, ^ask(%three, %four : !ori.r, !ori.r), ^other : !ori.p
^other:
  %y = ori.popc %x : (!ori.r) -> !ori.r
  ori.bra ^ask(%s, %y : !ori.r, !ori.r)
^ask(%state: !ori.r, %more: !ori.r):
  %minus = ori.imm -2 : !ori.r
  %index = ori.iadd3 %state, %minus, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %sum = ori.imm 1 : !ori.r
  %next = ori.iadd3 %more, %sum, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.brx %index, [^a, ^b(%next : !ori.r), ^c] : !ori.r
^a:
  ori.ret %x : !ori.r
^b(%v: !ori.r):
  %w = ori.iadd3 %v, %x, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %w : !ori.r
^c:
  ori.ret %s : !ori.r
}

// The block that begins a loop is not passed: the loop would have two entries.
// CHECK-LABEL: ori.func @header(
// CHECK: ori.bra ^[[HEAD:[a-z0-9]*]](%{{.*}} : !ori.r)
// CHECK: ^[[HEAD]](%{{.*}}: !ori.r):
// CHECK: ori.cond_bra
ori.func @header(%n: !ori.r) -> !ori.r target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %ten = ori.imm 10 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %more = ori.isetp <lt, s32, and> %i, %ten : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^body, ^out : !ori.p
^body:
  %next = ori.iadd3 %i, %one, %n : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^head(%next : !ori.r)
^out:
  ori.ret %n : !ori.r
}

// A vote in the block is convergent: the block is not bypassed.
// CHECK-LABEL: ori.func @vote(
// CHECK: ori.cond_bra %{{.*}}, ^[[ASK:[a-z0-9]*]](%{{.*}} : !ori.r), ^
// CHECK: ^[[ASK]](%{{.*}}: !ori.r):
// CHECK: ori.vote
ori.func @vote(%x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  ori.cond_bra %p, ^ask(%zero : !ori.r), ^other : !ori.p
^other:
  %y = ori.popc %x : (!ori.r) -> !ori.r
  ori.bra ^ask(%y : !ori.r)
^ask(%v: !ori.r):
  %all = ori.vote <all> %p : (!ori.p) -> !ori.r
  %is = ori.isetp <eq, s32, and> %v, %zero : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %is, ^a(%all : !ori.r), ^b : !ori.p
^a(%w: !ori.r):
  ori.ret %w : !ori.r
^b:
  ori.ret %x : !ori.r
}
