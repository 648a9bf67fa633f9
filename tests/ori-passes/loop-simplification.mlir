// Canonical loops, phase 18.
//
// RUN: orison-opt --ori-loop-simplification --remarks=text %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s <%t.remarks
// A second run has nothing to do.
// RUN: orison-opt --ori-loop-simplification %s -o %t.once
// RUN: orison-opt --ori-loop-simplification %t.once | diff %t.once -

// Two edges lead into the loop: a block of its own takes both, and hands on what they pass. The
// exit is shared with a path around the loop, and gets a block of its own, too.
// CHECK-LABEL: ori.func @two_entries(
// CHECK: ori.cond_bra %arg0, ^[[BEFORE:bb[0-9]+]](%{{.*}} : !ori.r), ^[[OTHER:bb[0-9]+]]
// CHECK: ^[[OTHER]]:
// CHECK-NEXT: ori.cond_bra %arg0, ^[[BEFORE]](%arg1 : !ori.r), ^[[EXIT:bb[0-9]+]]
// CHECK: ^[[BEFORE]](%[[START:.*]]: !ori.r):
// CHECK-NEXT: ori.bra ^[[HEAD:bb[0-9]+]](%[[START]] : !ori.r)
// CHECK: ^[[HEAD]](
// CHECK: ori.cond_bra %{{.*}}, ^[[HEAD]](%{{.*}} : !ori.r), ^[[OWN:bb[0-9]+]]
// CHECK: ^[[OWN]]:
// CHECK-NEXT: ori.bra ^[[EXIT]]
// REMARK: :[[@LINE+4]]:3: remark: [ori-loop-simplification] Passed loop-form: the loop has a preheader
ori.func @two_entries(%p: !ori.p, %n: !ori.r, %m: !ori.r) target "sm_80" {
  %one = ori.imm 1 : !ori.r
  %zero = ori.imm 0 : !ori.r
  ori.cond_bra %p, ^head(%zero : !ori.r), ^other : !ori.p
^other:
  ori.cond_bra %p, ^head(%n : !ori.r), ^exit : !ori.p
^head(%i: !ori.r):
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %m : (!ori.r, !ori.r) -> !ori.p
// REMARK: :[[@LINE+1]]:3: remark: [ori-loop-simplification] Passed loop-form: the loop has an exit block of its own
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Two back edges become one.
// CHECK-LABEL: ori.func @two_latches(
// CHECK: ^[[HEAD:bb[0-9]+]](
// CHECK: %[[NEXT:.*]] = ori.iadd3
// CHECK: ori.cond_bra %arg0, ^[[LATCH:bb[0-9]+]](%[[NEXT]] : !ori.r), ^{{.*}}
// CHECK: ori.cond_bra %{{.*}}, ^[[LATCH]](%{{.*}} : !ori.r), ^{{.*}}
// CHECK-NEXT: ^[[LATCH]](%[[BOTH:.*]]: !ori.r):
// CHECK-NEXT: ori.bra ^[[HEAD]](%[[BOTH]] : !ori.r)
ori.func @two_latches(%p: !ori.p, %n: !ori.r) target "sm_80" {
  %one = ori.imm 1 : !ori.r
  %zero = ori.imm 0 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
// REMARK: :[[@LINE+1]]:3: remark: [ori-loop-simplification] Passed loop-form: the back edges of the loop are joined
  ori.cond_bra %p, ^head(%next : !ori.r), ^other : !ori.p
^other:
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%zero : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// A loop that is tested at its start: the test stands before the loop, and at its end, where the
// hint stays with it. The counter is used behind the loop: both tests pass it there.
// CHECK-LABEL: ori.func @tested_at_start(
// CHECK: ^{{.*}}(%[[FIRST:.*]]: !ori.r):
// CHECK-NEXT: %[[ENTER:.*]] = ori.isetp <lt, s32, and> %[[FIRST]], %arg1
// CHECK-NEXT: ori.cond_bra %[[ENTER]], ^[[BEFORE:bb[0-9]+]](%[[FIRST]] : !ori.r), ^[[EXIT:bb[0-9]+]](%[[FIRST]] : !ori.r) : !ori.p
// CHECK: ^[[LATCH:bb[0-9]+]](%[[I:.*]]: !ori.r):
// CHECK-NEXT: %[[MORE:.*]] = ori.isetp <lt, s32, and> %[[I]], %arg1
// CHECK-NEXT: ori.cond_bra %[[MORE]], ^[[HEAD:bb[0-9]+]](%[[I]] : !ori.r), ^[[OWN:bb[0-9]+]](%[[I]] : !ori.r) {ori.pragmas = ["nounroll"]} : !ori.p
// CHECK: ^[[BEFORE]](%[[PASSED:.*]]: !ori.r):
// CHECK-NEXT: ori.bra ^[[HEAD]](%[[PASSED]] : !ori.r)
// CHECK: ^[[HEAD]](%[[IN:.*]]: !ori.r):
// CHECK-NEXT: ori.stg <b32> [%arg0], %[[IN]]
// CHECK-NEXT: %[[NEXT:.*]] = ori.iadd3 %[[IN]]
// CHECK-NEXT: ori.bra ^[[LATCH]](%[[NEXT]] : !ori.r)
// CHECK: ^[[OWN]](%[[LAST:.*]]: !ori.r):
// CHECK-NEXT: ori.bra ^[[EXIT]](%[[LAST]] : !ori.r)
// CHECK: ^[[EXIT]](%[[RESULT:.*]]: !ori.r):
// CHECK-NEXT: ori.ret %[[RESULT]]
ori.func @tested_at_start(%q: !ori.r64, %n: !ori.r) -> !ori.r target "sm_80" {
  %one = ori.imm 1 : !ori.r
  %zero = ori.imm 0 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %more = ori.isetp <lt, s32, and> %i, %n : (!ori.r, !ori.r) -> !ori.p
// REMARK: :[[@LINE+1]]:3: remark: [ori-loop-simplification] Passed loop-inversion: the loop is tested at its end
  ori.cond_bra %more, ^body, ^exit {ori.pragmas = ["nounroll"]} : !ori.p
^body:
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^head(%next : !ori.r)
^exit:
  ori.ret %i : !ori.r
}

// A cycle with two entries is left alone.
// CHECK-LABEL: ori.func @irreducible(
// CHECK-NEXT: ori.cond_bra %arg0, ^bb1, ^bb2
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: ori.cond_bra %arg0, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: ori.cond_bra %arg0, ^bb1, ^bb3
// CHECK-NEXT: ^bb3:
ori.func @irreducible(%p: !ori.p) target "sm_80" {
  ori.cond_bra %p, ^a, ^b : !ori.p
^a:
  ori.cond_bra %p, ^b, ^exit : !ori.p
^b:
// REMARK: :[[@LINE+1]]:3: remark: [ori-loop-simplification] Missed loop-form: block 1 is entered from outside of the cycle as well
  ori.cond_bra %p, ^a, ^exit : !ori.p
^exit:
  ori.ret
}

// The threads of the loop act together: no edge is split, neither into the loop nor out of it.
// CHECK-LABEL: ori.func @together(
// CHECK-NEXT: ori.cond_bra %arg0, ^bb1, ^bb2
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: ori.bar
// CHECK-NEXT: ori.cond_bra %arg0, ^bb1, ^bb2
ori.func @together(%p: !ori.p) target "sm_80" {
// REMARK: :[[@LINE+1]]:3: remark: [ori-loop-simplification] Missed loop-form: the edge is not split: the threads of the loop act together
  ori.cond_bra %p, ^head, ^exit : !ori.p
^head:
  ori.bar <sync, index = 0>
// REMARK: :[[@LINE+1]]:3: remark: [ori-loop-simplification] Missed loop-form: the edge is not split
  ori.cond_bra %p, ^head, ^exit : !ori.p
^exit:
  ori.ret
}

// A test that needs the threads together stays where it is.
// CHECK-LABEL: ori.func @test_together(
// CHECK: ^[[HEAD:bb[0-9]+]]:
// CHECK-NEXT: %[[V:.*]]:2 = ori.vote
// CHECK-NEXT: ori.cond_bra %[[V]]#1, ^[[BODY:bb[0-9]+]], ^{{.*}}
// CHECK-NEXT: ^[[BODY]]:
// CHECK-NEXT: ori.bra ^[[HEAD]]
ori.func @test_together(%p: !ori.p) target "sm_80" {
  ori.bra ^head
^head:
  %mask, %all = ori.vote <all> %p : (!ori.p) -> (!ori.r, !ori.p)
// REMARK: :[[@LINE+1]]:3: remark: [ori-loop-simplification] Missed loop-inversion: the test contains an operation of the threads together
  ori.cond_bra %all, ^body, ^exit : !ori.p
^body:
  ori.bra ^head
^exit:
  ori.ret
}

// A canonical loop stays as it is.
// CHECK-LABEL: ori.func @canonical(
// CHECK-NEXT: %[[ONE:.*]] = ori.imm 1
// CHECK-NEXT: %[[ZERO:.*]] = ori.imm 0
// CHECK-NEXT: ori.bra ^bb1(%[[ZERO]] : !ori.r)
// CHECK-NEXT: ^bb1(
// CHECK-NEXT: ori.iadd3
// CHECK-NEXT: ori.isetp
// CHECK-NEXT: ori.cond_bra %{{.*}}, ^bb1(%{{.*}} : !ori.r), ^bb2
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: ori.ret
ori.func @canonical(%n: !ori.r) target "sm_80" {
  %one = ori.imm 1 : !ori.r
  %zero = ori.imm 0 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}
