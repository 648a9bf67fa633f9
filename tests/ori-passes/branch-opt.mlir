// Branches, phase 15. Each function is one rule.
//
// RUN: orison-opt --ori-branch-opt %s | FileCheck %s
// RUN: orison-opt --ori-branch-opt='knobs=BranchOptDepth=1' --remarks=text %s 2>%t.remarks | FileCheck --check-prefix=DEPTH %s
// RUN: FileCheck --check-prefix=REMARK %s <%t.remarks
// RUN: not orison-opt --ori-branch-opt='knobs=BranchOptDeep=1' %s 2>&1 | FileCheck --check-prefix=KNOB %s

// KNOB: error: 'builtin.module' op unknown knob 'BranchOptDeep'; did you mean 'BranchOptDepth'?

// A branch to the next block without other predecessors is erased; its values replace the arguments.
// CHECK-LABEL: ori.func kernel @to_next()
// CHECK-NEXT: %[[ONE:.*]] = ori.imm 1
// CHECK: ori.stg <b32> [%{{.*}}], %[[ONE]]
// CHECK-NEXT: ori.exit
ori.func kernel @to_next() target "sm_80" {
  %one = ori.imm 1 : !ori.r
  %p = ori.cbank[0, 352] : !ori.r64
  ori.bra ^next(%one : !ori.r)
^next(%x: !ori.r):
  ori.stg <b32> [%p], %x : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// Unreachable blocks are erased, also cycles of them.
// CHECK-LABEL: ori.func kernel @unreachable()
// CHECK-NEXT: ori.exit
// CHECK-NEXT: }
ori.func kernel @unreachable() target "sm_80" {
  ori.exit
^a:
  ori.bra ^b
^b:
  ori.bra ^a
}

// A constant condition: the inverted branch takes the other successor.
// CHECK-LABEL: ori.func kernel @known()
// CHECK-NOT: cond_bra
// CHECK: ori.stg <b32> [%[[P:.*]]], %[[TWO:.*]] :
// CHECK-NOT: ori.stg
// CHECK: ori.exit
ori.func kernel @known() target "sm_80" {
  %true = ori.imm 1 : !ori.p
  %one = ori.imm 1 : !ori.r
  %two = ori.imm 2 : !ori.r
  %p = ori.cbank[0, 352] : !ori.r64
  ori.cond_bra not %true, ^a, ^b : !ori.p
^a:
  ori.stg <b32> [%p], %one : (!ori.r64, !ori.r) -> ()
  ori.exit
^b:
  ori.stg <b32> [%p], %two : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// A known index.
// CHECK-LABEL: ori.func kernel @known_index()
// CHECK-NOT: ori.brx
// CHECK: ori.imm 20
// CHECK-NOT: ori.imm 10
// CHECK: ori.exit
ori.func kernel @known_index() target "sm_80" {
  %i = ori.imm 1 : !ori.r
  %p = ori.cbank[0, 352] : !ori.r64
  ori.brx %i, [^a, ^b] : !ori.r
^a:
  %ten = ori.imm 10 : !ori.r
  ori.stg <b32> [%p], %ten : (!ori.r64, !ori.r) -> ()
  ori.exit
^b:
  %twenty = ori.imm 20 : !ori.r
  ori.stg <b32> [%p], %twenty : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// Exits: one that is never taken is erased; code after one that is always taken is erased.
// CHECK-LABEL: ori.func kernel @known_exits()
// CHECK: ori.stg {{.*}}%[[A:.*]] :
// CHECK-NEXT: ori.exit
// CHECK-NEXT: }
ori.func kernel @known_exits() target "sm_80" {
  %true = ori.imm 1 : !ori.p
  %one = ori.imm 1 : !ori.r
  %p = ori.cbank[0, 352] : !ori.r64
  ori.exit_if not %true : !ori.p
  ori.stg <b32> [%p], %one : (!ori.r64, !ori.r) -> ()
  ori.exit_if %true : !ori.p
  ori.stg <b32> [%p + 4], %one : (!ori.r64, !ori.r) -> ()
  ori.bra ^behind
^behind:
  ori.stg <b32> [%p + 8], %one : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// Identical successors.
// CHECK-LABEL: ori.func kernel @same_target()
// CHECK-NOT: ori.cond_bra
// CHECK: ori.exit
ori.func kernel @same_target() target "sm_80" {
  %tid = ori.s2r <register = "SR_TID.X"> : !ori.r
  %zero = ori.imm 0 : !ori.r
  %p = ori.cbank[0, 352] : !ori.r64
  %is = ori.isetp <eq, s32, and> %tid, %zero : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %is, ^a(%tid : !ori.r), ^a(%tid : !ori.r) : !ori.p
^a(%x: !ori.r):
  ori.stg <b32> [%p], %x : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// Identical successors with different values: a select, which another pass creates.
// CHECK-LABEL: ori.func kernel @same_target_other_values()
// CHECK: ori.cond_bra %{{.*}}, ^[[A:.*]](%{{.*}} : !ori.r), ^[[A]](%{{.*}} : !ori.r)
// REMARK: [[#@LINE+6]]:3: remark: [ori-branch-opt] Missed same-target: the successors are the same block, but the passed values differ; ori-predication converts the values to selects
ori.func kernel @same_target_other_values() target "sm_80" {
  %tid = ori.s2r <register = "SR_TID.X"> : !ori.r
  %zero = ori.imm 0 : !ori.r
  %p = ori.cbank[0, 352] : !ori.r64
  %is = ori.isetp <eq, s32, and> %tid, %zero : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %is, ^a(%tid : !ori.r), ^a(%zero : !ori.r) : !ori.p
^a(%x: !ori.r):
  ori.stg <b32> [%p], %x : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// A branch is redirected past empty blocks, with the values they pass.
// CHECK-LABEL: ori.func kernel @thread()
// CHECK: %[[TID:.*]] = ori.s2r
// CHECK: %[[ZERO:.*]] = ori.imm 0
// CHECK: ori.cond_bra %{{.*}}, ^[[END:.*]](%[[ZERO]], %[[TID]] : !ori.r, !ori.r), ^[[WORK:.*]] : !ori.p
// CHECK: ^[[WORK]]:
// CHECK: ori.bra ^[[END]](%[[TID]], %[[TID]] : !ori.r, !ori.r)
// CHECK: ^[[END]](
// With a bound of one block, the first round leads past one, the second past the other.
// DEPTH-LABEL: ori.func kernel @thread()
// DEPTH: ori.cond_bra %{{.*}}, ^[[END:.*]](%{{.*}}, %{{.*}} : !ori.r, !ori.r), ^{{.*}} : !ori.p
// REMARK: remark: [ori-branch-opt] Missed branch-to-branch: too many empty blocks in a row; a larger BranchOptDepth
ori.func kernel @thread() target "sm_80" {
  %tid = ori.s2r <register = "SR_TID.X"> : !ori.r
  %zero = ori.imm 0 : !ori.r
  %p = ori.cbank[0, 352] : !ori.r64
  %is = ori.isetp <eq, s32, and> %tid, %zero : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %is, ^a(%zero : !ori.r), ^work : !ori.p
^a(%x: !ori.r):
  ori.bra ^b(%x : !ori.r)
^b(%y: !ori.r):
  ori.bra ^end(%y, %tid : !ori.r, !ori.r)
^work:
  ori.stg <b32> [%p + 4], %tid : (!ori.r64, !ori.r) -> ()
  ori.bra ^end(%tid, %tid : !ori.r, !ori.r)
^end(%u: !ori.r, %v: !ori.r):
  %w = ori.concat %u, %v : (!ori.r, !ori.r) -> !ori.r64
  ori.stg <b64> [%p], %w : (!ori.r64, !ori.r64) -> ()
  ori.exit
}

// A value used after the block keeps the block: it cannot be passed otherwise.
// CHECK-LABEL: ori.func kernel @used_behind()
// CHECK: ori.bra ^{{.*}}
// CHECK: ^[[A:.*]](%[[X:.*]]: !ori.r):
// CHECK-NEXT: ori.stg <b32> [%{{.*}}], %[[X]]
ori.func kernel @used_behind() target "sm_80" {
  %tid = ori.s2r <register = "SR_TID.X"> : !ori.r
  %zero = ori.imm 0 : !ori.r
  %p = ori.cbank[0, 352] : !ori.r64
  %is = ori.isetp <eq, s32, and> %tid, %zero : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %is, ^a(%tid : !ori.r), ^b : !ori.p
^b:
  ori.stg <b32> [%p + 4], %tid : (!ori.r64, !ori.r) -> ()
  ori.bra ^a(%zero : !ori.r)
^a(%x: !ori.r):
  ori.bra ^end
^end:
  ori.stg <b32> [%p], %x : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// Blocks that lead around in a circle stay, and the pass ends.
// CHECK-LABEL: ori.func kernel @circle()
// CHECK: ori.bra ^[[A:.*]]
// CHECK: ^[[A]]:
// CHECK-NEXT: ori.bra ^[[A]]
ori.func kernel @circle() target "sm_80" {
  ori.bra ^a
^a:
  ori.bra ^b
^b:
  ori.bra ^a
}

// Threads that part meet before a loop in which they exchange. What one way passes decides the branch
// behind the meeting, but it may not lead past it.
// CHECK-LABEL: ori.func @meeting(
// CHECK: ori.cond_bra %{{.*}}, ^[[A:bb[0-9]+]], ^[[MEET:bb[0-9]+]](
// CHECK: ^[[A]]:
// CHECK: ori.bra ^[[MEET]](
// CHECK: ^[[MEET]](
// CHECK: ori.isetp
// CHECK: ori.cond_bra
// CHECK: ori.shfl
ori.func @meeting(%p: !ori.p, %x: !ori.r, %q: !ori.r64) target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %nine = ori.imm 9 : !ori.r
  ori.cond_bra %p, ^a, ^b : !ori.p
^a:
  ori.sts <b32> [%zero], %x : (!ori.r, !ori.r) -> ()
  ori.bra ^meet(%x : !ori.r)
^b:
  ori.bra ^meet(%nine : !ori.r)
^meet(%y: !ori.r):
  %few = ori.isetp <lt, s32, and> %y, %nine : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %few, ^exit, ^exchange : !ori.p
^exchange:
  %z, %k = ori.shfl <bfly> %x, %nine, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  ori.stg <b32> [%q], %z : (!ori.r64, !ori.r) -> ()
  ori.bra ^exit
^exit:
  ori.ret
}
