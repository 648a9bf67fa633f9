// Levels and knobs of ori-loop-simplification.
//
// RUN: orison-opt --ori-loop-simplification %s | FileCheck --check-prefixes=INVERTED,WHOLE %s
// RUN: orison-opt --ori-loop-simplification=level=0 %s | FileCheck --check-prefixes=TESTED,NONE,WHOLE %s
// RUN: orison-opt --ori-loop-simplification='knobs=LoopMakeSingleEntry=false' %s | FileCheck --check-prefixes=TESTED,JOINED,WHOLE %s
// RUN: orison-opt --ori-loop-simplification='knobs=LoopInversion=false' %s | FileCheck --check-prefixes=TESTED,WHOLE %s
// RUN: orison-opt --ori-loop-simplification='knobs=LoopInversionBudget=1' --remarks=text %s 2>&1 | FileCheck --check-prefix=BUDGET %s
// RUN: orison-opt --ori-loop-simplification='knobs=LoopInversionBudget=2' %s | FileCheck --check-prefixes=INVERTED,WHOLE %s
// RUN: orison-opt --ori-loop-simplification='level=4' --remarks=text %s 2>%t.remarks | FileCheck --check-prefixes=INVERTED,PEELED %s
// RUN: FileCheck --check-prefix=REMARK %s <%t.remarks
// RUN: orison-opt --ori-loop-simplification='knobs=LoopPeelInversion' %s | FileCheck --check-prefixes=INVERTED,PEELED %s
// RUN: orison-opt --ori-loop-simplification='level=5 knobs=UnrollBudget=2' --remarks=text %s 2>&1 | FileCheck --check-prefix=LARGE %s
// RUN: orison-opt --ori-loop-simplification='level=4 knobs=GenPeelingLoopsForSyncs' %s | FileCheck --check-prefix=SYNCS %s
// RUN: orison-opt --ori-loop-simplification='level=4 knobs=EnableSingleThreadPeelingLoops' %s | FileCheck --check-prefix=SINGLE %s
// RUN: not orison-opt --ori-loop-simplification='level=4 knobs=AssertIfPeelingLoopForTexSurf,GenPeelingLoopsForSyncs' %s 2>&1 | FileCheck --check-prefix=TEXTURE %s
// RUN: not orison-opt --ori-loop-simplification=level=6 %s 2>&1 | FileCheck --check-prefix=LEVEL %s

// LEVEL: error: {{.*}}option 'level': expected 0 to 5, found 6

// INVERTED-LABEL: ori.func @tested(
// INVERTED: ori.isetp
// INVERTED: ori.isetp
// TESTED-LABEL: ori.func @tested(
// TESTED: ori.isetp
// TESTED-NOT: ori.isetp
// TESTED: ori.ret
// BUDGET: remark: [ori-loop-simplification] Missed loop-inversion: the test has 2 instructions; a larger LoopInversionBudget
ori.func @tested(%q: !ori.r64, %n: !ori.r) target "sm_80" {
  %one = ori.imm 1 : !ori.r
  %zero = ori.imm 0 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %more = ori.isetp <lt, s32, and> %i, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^body, ^exit : !ori.p
^body:
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^head(%next : !ori.r)
^exit:
  ori.ret
}

// Back edges are joined without LoopMakeSingleEntry, but nothing at level 0.
// JOINED-LABEL: ori.func @two_latches(
// JOINED: ori.cond_bra %arg0, ^[[LATCH:bb[0-9]+]], ^[[OTHER:bb[0-9]+]]
// JOINED-NEXT: ^[[OTHER]]:
// JOINED-NEXT: ori.cond_bra %arg1, ^[[LATCH]], ^{{.*}}
// NONE-LABEL: ori.func @two_latches(
// NONE: ori.cond_bra %arg0, ^[[HEAD:bb[0-9]+]], ^[[OTHER:bb[0-9]+]]
// NONE-NEXT: ^[[OTHER]]:
// NONE-NEXT: ori.cond_bra %arg1, ^[[HEAD]], ^{{.*}}
ori.func @two_latches(%p: !ori.p, %r: !ori.p) target "sm_80" {
  ori.bra ^head
^head:
  ori.cond_bra %p, ^head, ^other : !ori.p
^other:
  ori.cond_bra %r, ^head, ^exit : !ori.p
^exit:
  ori.ret
}

// From the second iteration on, the value is %b: the first iteration is peeled.
// PEELED-LABEL: ori.func @becomes_invariant(
// PEELED: ^{{.*}}(%{{.*}}: !ori.r, %[[A:.*]]: !ori.r):
// PEELED-NEXT: ori.stg <b32> [%arg0], %[[A]]
// PEELED: ori.cond_bra %{{.*}}, ^[[BEFORE:bb[0-9]+]](%{{.*}}, %arg3 : !ori.r, !ori.r), ^{{.*}}
// PEELED: ^[[BEFORE]](%{{.*}}: !ori.r, %[[B:.*]]: !ori.r):
// PEELED-NEXT: ori.bra ^[[HEAD:bb[0-9]+]](%{{.*}}, %[[B]] : !ori.r, !ori.r)
// PEELED: ^[[HEAD]](%{{.*}}: !ori.r, %[[V:.*]]: !ori.r):
// PEELED-NEXT: ori.stg <b32> [%arg0], %[[V]]
// WHOLE-LABEL: ori.func @becomes_invariant(
// WHOLE: ori.stg
// WHOLE-NOT: ori.stg
// WHOLE: ori.ret
// LARGE: remark: [ori-loop-simplification] Missed loop-peeling: the body is too large; a larger UnrollBudget
ori.func @becomes_invariant(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r) target "sm_80" {
  %one = ori.imm 1 : !ori.r
  %zero = ori.imm 0 : !ori.r
  ori.bra ^head(%zero, %a : !ori.r, !ori.r)
^head(%i: !ori.r, %v: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
// REMARK: :[[@LINE+1]]:3: remark: [ori-loop-simplification] Passed loop-peeling: a value of the loop does not change behind its first iteration
  ori.cond_bra %more, ^head(%next, %b : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The comparison holds in the first iteration only. The last value is used behind the loop: the
// peeled iteration passes it, too.
// PEELED-LABEL: ori.func @tests_the_first(
// PEELED: ori.isetp <eq
// PEELED: %[[FIRST:.*]] = ori.iadd3
// PEELED: ori.cond_bra %{{.*}}, ^{{.*}}(%[[FIRST]] : !ori.r), ^[[EXIT:bb[0-9]+]](%[[FIRST]] : !ori.r)
// PEELED: ori.isetp <eq
// PEELED: ^{{.*}}(%[[OWN:.*]]: !ori.r):
// PEELED-NEXT: ori.bra ^[[EXIT]](%[[OWN]] : !ori.r)
// PEELED: ^[[EXIT]](%[[LAST:.*]]: !ori.r):
// PEELED-NEXT: ori.ret %[[LAST]]
// WHOLE-LABEL: ori.func @tests_the_first(
// WHOLE: ori.isetp <eq
// WHOLE-NOT: ori.isetp <eq
// WHOLE: ori.ret
ori.func @tests_the_first(%q: !ori.r64, %n: !ori.r, %start: !ori.r) -> !ori.r target "sm_80" {
  %one = ori.imm 1 : !ori.r
  %zero = ori.imm 0 : !ori.r
  ori.bra ^head(%start : !ori.r)
^head(%i: !ori.r):
  %first = ori.isetp <eq, s32, and> %i, %start : (!ori.r, !ori.r) -> !ori.p
  ori.stg <b32> [%q], %i if %first : (!ori.r64, !ori.r, !ori.p) -> ()
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
// REMARK: :[[@LINE+1]]:3: remark: [ori-loop-simplification] Passed loop-peeling: a condition holds in the first iteration only
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret %next : !ori.r
}

// A barrier in the loop.
// PEELED-LABEL: ori.func @barrier(
// PEELED: ori.bar
// PEELED-NOT: ori.bar
// PEELED: ori.ret
// SYNCS-LABEL: ori.func @barrier(
// SYNCS: ori.bar
// SYNCS: ori.bar
// SYNCS: ori.ret
ori.func @barrier(%n: !ori.r, %start: !ori.r) target "sm_80" {
  %one = ori.imm 1 : !ori.r
  %zero = ori.imm 0 : !ori.r
  ori.bra ^head(%start, %zero : !ori.r, !ori.r)
^head(%i: !ori.r, %v: !ori.r):
  ori.bar <sync, index = 0>
  %next = ori.iadd3 %i, %one, %v : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
// REMARK: :[[@LINE+1]]:3: remark: [ori-loop-simplification] Missed loop-peeling: the threads of the loop act together; GenPeelingLoopsForSyncs=true
  ori.cond_bra %more, ^head(%next, %one : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Some threads of a warp go around the loop.
// PEELED-LABEL: ori.func kernel @some_threads(
// PEELED: ori.red
// PEELED-NOT: ori.red
// PEELED: ori.exit
// SINGLE-LABEL: ori.func kernel @some_threads(
// SINGLE: ori.red
// SINGLE: ori.red
// SINGLE: ori.exit
ori.func kernel @some_threads() target "sm_80" {
  %tid = ori.s2r <register = "SR_TID.X"> : !ori.r
  %q = ori.cbank [0, 352] : !ori.r64
  %n = ori.cbank [0, 360] : !ori.r
  %one = ori.imm 1 : !ori.r
  %zero = ori.imm 0 : !ori.r
  %is = ori.isetp <eq, s32, and> %tid, %zero : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %is, ^before, ^exit : !ori.p
^before:
  ori.bra ^head(%zero, %zero : !ori.r, !ori.r)
^head(%i: !ori.r, %v: !ori.r):
  ori.redg <add, u32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
// REMARK: :[[@LINE+1]]:3: remark: [ori-loop-simplification] Missed loop-peeling: a part of the threads enters the loop; EnableSingleThreadPeelingLoops=true
  ori.cond_bra %more, ^head(%next, %one : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.exit
}

// A texture is read, which the threads of a quad do together, in a loop that is peeled.
// PEELED-LABEL: ori.func @texture(
// TEXTURE: :[[@LINE+7]]:8: error: 'ori.tex' op is in a loop that is peeled (AssertIfPeelingLoopForTexSurf)
ori.func @texture(%q: !ori.r64, %n: !ori.r, %c: !ori.r, %a: !ori.r) target "sm_80" {
  %one = ori.imm 1 : !ori.r
  %zero = ori.imm 0 : !ori.r
  ori.bra ^head(%zero, %c : !ori.r, !ori.r)
^head(%i: !ori.r, %v: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %t = ori.tex <tex1d, mask = 1, bound = 3, lz> coordinates(%v) : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %t : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next, %one : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}
