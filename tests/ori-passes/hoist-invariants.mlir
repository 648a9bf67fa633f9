// What ori-hoist-invariants moves in front of a loop, and what stays.
//
// RUN: orison-opt --ori-hoist-invariants --remarks=text %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s <%t.remarks
// RUN: orison-opt --ori-hoist-invariants %s -o %t.after
// RUN: orison-opt --ori-hoist-invariants="knobs=UseNewLoopInvariantRoutineForHoisting=true" %s -o %t.set
// RUN: diff %t.after %t.set
// RUN: orison-opt --ori-hoist-invariants %t.after -o %t.twice
// RUN: diff %t.after %t.twice

// What depends on hoisted operations follows them, with the constants that it reads.
// CHECK-LABEL: ori.func @chain(
// CHECK: %[[SEVEN:.*]] = ori.imm 7
// CHECK-NEXT: %[[X:.*]] = ori.imad %{{.*}}, %{{.*}}, %[[SEVEN]] {ori.hoisted}
// CHECK-NEXT: %[[Y:.*]] = ori.lop3 <lut = 192> %[[X]], %{{.*}} {ori.hoisted}
// CHECK-NEXT: ori.bra ^[[HEAD:bb[0-9]+]]
// CHECK: ori.stg <b32> [%{{.*}}], %[[Y]]
ori.func @chain(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %seven = ori.imm 7 : !ori.r
  %x = ori.imad %a, %b, %seven : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.lop3 <lut = 192> %x, %a, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// It depends on the counter.
// CHECK-LABEL: ori.func @varying(
// CHECK-NOT: ori.hoisted
ori.func @varying(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.imad %a, %i, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// A read of memory that the loop does not write.
// CHECK-LABEL: ori.func @read(
// CHECK: ori.ldg {{.*}} {ori.hoisted}
// CHECK: ori.bra
ori.func @read(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.ldg <b32> [%q + 8] : (!ori.r64) -> !ori.r
  %y = ori.iadd3 %x, %i, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%a], %y : (!ori.r, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The write is to other bytes.
// CHECK-LABEL: ori.func @apart(
// CHECK: ori.ldg {{.*}} {ori.hoisted}
// CHECK: ori.bra
ori.func @apart(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.ldg <b32> [%q + 8] : (!ori.r64) -> !ori.r
  %y = ori.iadd3 %x, %i, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q + 12], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The write may be to the same bytes.
// CHECK-LABEL: ori.func @overwritten(
// REMARK: [[@LINE+8]]:8: remark: {{.*}}Missed loop-invariant: a write in the loop may change what is read
// CHECK-NOT: ori.hoisted
ori.func @overwritten(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.ldg <b32> [%q + 8] : (!ori.r64) -> !ori.r
  %y = ori.iadd3 %x, %i, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q + 10], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Constant memory is never written.
// CHECK-LABEL: ori.func @constant(
// CHECK: ori.ldg <b32, constant> {{.*}} {ori.hoisted}
// CHECK: ori.bra
ori.func @constant(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.ldg <b32, constant> [%q + 8] : (!ori.r64) -> !ori.r
  %y = ori.iadd3 %x, %i, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q + 8], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Reads that other threads order, clocks, and operations of the warp stay.
// CHECK-LABEL: ori.func @ordered(
// CHECK-NOT: ori.hoisted
ori.func @ordered(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %t = ori.cs2r <register = "SR_CLOCKLO"> : !ori.r
  %v:2 = ori.vote <any> %p : (!ori.p) -> (!ori.r, !ori.p)
  %y = ori.iadd3 %x, %t, %v#0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// A guarded operation moves with its guard, if the guard is the same in every iteration.
// CHECK-LABEL: ori.func @guarded(
// CHECK: ori.ldg <b32> [%{{.*}}] if %arg4 {{.*}}{ori.hoisted}
// CHECK: ori.bra
ori.func @guarded(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.ldg <b32> [%q] if %p else %zero : (!ori.r64, !ori.p, !ori.r) -> !ori.r
  %y = ori.iadd3 %x, %i, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%a], %y : (!ori.r, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The guard is the counter's.
// CHECK-LABEL: ori.func @guard_varies(
// CHECK-NOT: ori.hoisted
ori.func @guard_varies(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %odd = ori.isetp <eq, u32, and> %i, %b : (!ori.r, !ori.r) -> !ori.p
  %x = ori.ldg <b32> [%q] if %odd else %zero : (!ori.r64, !ori.p, !ori.r) -> !ori.r
  %y = ori.iadd3 %x, %i, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%a], %y : (!ori.r, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Arithmetic may be executed where it was not; memory may not be read there, since it may not exist.
// CHECK-LABEL: ori.func @arm(
// CHECK: ori.imad {{.*}} {ori.hoisted}
// CHECK: ori.bra
// REMARK: [[@LINE+12]]:8: remark: {{.*}}Missed loop-invariant: not every execution of the loop gets there, and what is read may not exist
// CHECK: ori.ldg <b32> [%{{.*}} + 8] :
ori.func @arm(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %odd = ori.isetp <eq, u32, and> %i, %b : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %odd, ^arm, ^join : !ori.p
^arm:
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.ldg <b32> [%q + 8] : (!ori.r64) -> !ori.r
  ori.sts <b32> [%x], %r : (!ori.r, !ori.r) -> ()
  ori.bra ^join
^join:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The first iteration may end before the read.
// CHECK-LABEL: ori.func @behind_exit(
// CHECK-NOT: ori.hoisted
ori.func @behind_exit(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %past = ori.isetp <eq, u32, and> %i, %b : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %past, ^exit, ^rest : !ori.p
^rest:
  %x = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  ori.sts <b32> [%a], %x : (!ori.r, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// A thread may end before the read.
// CHECK-LABEL: ori.func @behind_end(
// CHECK-NOT: ori.hoisted
ori.func @behind_end(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %past = ori.isetp <eq, u32, and> %i, %b : (!ori.r, !ori.r) -> !ori.p
  ori.exit_if %past : !ori.p
  %x = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  ori.sts <b32> [%a], %x : (!ori.r, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Without a preheader, one is created.
// CHECK-LABEL: ori.func @entered(
// CHECK: ori.cond_bra %{{.*}}, ^[[NEW:bb[0-9]+]](%{{.*}} : !ori.r), ^[[EXIT:bb[0-9]+]]
// CHECK: ^[[NEW]](%[[START:.*]]: !ori.r):
// CHECK-NEXT: ori.imad {{.*}} {ori.hoisted}
// CHECK-NEXT: ori.bra ^[[HEAD:bb[0-9]+]](%[[START]] : !ori.r)
ori.func @entered(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.cond_bra %p, ^head(%zero : !ori.r), ^exit : !ori.p
^head(%i: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Not created for nothing.
// CHECK-LABEL: ori.func @entered_for_nothing(
// CHECK: ori.cond_bra %{{.*}}, ^[[HEAD:bb[0-9]+]](%{{.*}} : !ori.r), ^
// CHECK: ^[[HEAD]](
// CHECK: ori.ret
ori.func @entered_for_nothing(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.cond_bra %p, ^head(%zero : !ori.r), ^exit : !ori.p
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Out of both loops of a nest.
// CHECK-LABEL: ori.func @nest(
// CHECK: ori.imad {{.*}} {ori.hoisted}
// CHECK-NEXT: ori.bra
ori.func @nest(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.iadd3 %x, %i, %j : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%b], %y : (!ori.r, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %j2, %a : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^inner(%j2 : !ori.r), ^post : !ori.p
^post:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Out of the inner loop: it depends on the counter of the outer one.
// CHECK-LABEL: ori.func @nest_inner(
// CHECK: ori.bra ^[[OUTER:bb[0-9]+]]
// CHECK: ^[[OUTER]](%[[I:.*]]: !ori.r):
// CHECK-NEXT: ori.imad %[[I]], {{.*}} {ori.hoisted}
// CHECK-NEXT: ori.bra
ori.func @nest_inner(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %x = ori.imad %i, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.iadd3 %x, %i, %j : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%b], %y : (!ori.r, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %j2, %a : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^inner(%j2 : !ori.r), ^post : !ori.p
^post:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Behind branches and in loops around others, arithmetic must not need more registers: 2 for one that is free then.
// REMARK: [[@LINE+10]]:8: remark: {{.*}}Missed loop-invariant: it needs more registers than it frees
// CHECK-LABEL: ori.func @nest_wide(
// CHECK: ^bb1(
// CHECK: ori.imad_wide
ori.func @nest_wide(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %w = ori.imad_wide <u32> %a, %b, %none : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  ori.stg <b32> [%w], %i : (!ori.r64, !ori.r) -> ()
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  %j2 = ori.iadd3 %j, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %j2, %a : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^inner(%j2 : !ori.r), ^post : !ori.p
^post:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The same behind a branch: both operands are read elsewhere.
// CHECK-LABEL: ori.func @arm_crowded(
// CHECK-NOT: ori.hoisted
ori.func @arm_crowded(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %odd = ori.isetp <eq, u32, and> %i, %b : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %odd, ^arm, ^join : !ori.p
^arm:
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%x], %a : (!ori.r, !ori.r) -> ()
  ori.bra ^join
^join:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Behind an inner loop, which may not end, nothing is read earlier.
// CHECK-LABEL: ori.func @behind_loop(
// CHECK-NOT: ori.hoisted
ori.func @behind_loop(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  ori.sts <b32> [%b], %j : (!ori.r, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %j2, %a : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^inner(%j2 : !ori.r), ^post : !ori.p
^post:
  %x = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  ori.stg <b32> [%q + 64], %x : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// A cycle with two entries is left alone.
// REMARK: remark: {{.*}}Missed loop-invariant: it is entered at several blocks
// CHECK-LABEL: ori.func @irreducible(
// CHECK-NOT: ori.hoisted
ori.func @irreducible(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  ori.cond_bra %p, ^left, ^right : !ori.p
^left:
  ori.cond_bra %p, ^right, ^last : !ori.p
^right:
  ori.cond_bra %p, ^left, ^last : !ori.p
^last:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// An indexed branch in a nest.
// REMARK: remark: {{.*}}Missed loop-invariant: there is an indexed branch in the nest
// CHECK-LABEL: ori.func @indexed(
// CHECK-NOT: ori.hoisted
ori.func @indexed(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^inner(%zero : !ori.r)
^inner(%j: !ori.r):
  ori.sts <b32> [%x], %j : (!ori.r, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %j2, %a : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^inner(%j2 : !ori.r), ^post : !ori.p
^post:
  ori.brx %b, [^one, ^two] : !ori.r
^one:
  ori.bra ^two
^two:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK-LABEL: ori.func @last(
ori.func @last() target "sm_90" {
  ori.ret
}
