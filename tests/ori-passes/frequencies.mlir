// How often blocks are executed.
//
// RUN: orison-opt --ori-print-analysis=kind=frequencies %s -o /dev/null 2>&1 | FileCheck %s

// Ways are taken equally often; what parts meets again.
// CHECK: block 0: 1 times
// CHECK: block 1: 0.5 times
// CHECK: block 2: 0.5 times
// CHECK: block 3: 1 times
ori.func @diamond(%p: !ori.p) target "sm_90" {
  ori.cond_bra %p, ^a, ^b : !ori.p
^a:
  ori.bra ^c
^b:
  ori.bra ^c
^c:
  ori.ret
}

// Four iterations of a loop around one of an unknown number, which counts as ten, behind a test that half
// of them pass.
// CHECK: block 0: 1 times
// CHECK: block 1: 4 times
// CHECK: block 2: 20 times
// CHECK: block 3: 4 times
// CHECK: block 4: 1 times
ori.func @nest(%p: !ori.p, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %four = ori.imm 4 : !ori.r
  ori.bra ^outer(%zero : !ori.r)
^outer(%i: !ori.r):
  ori.cond_bra %p, ^inner(%zero : !ori.r), ^behind : !ori.p
^inner(%j: !ori.r):
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^inner(%j2 : !ori.r), ^behind : !ori.p
^behind:
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %i2, %four : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^outer(%i2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// A loop that is tested at its start: the test runs once more than the body. Two exits share what leaves.
// CHECK: block 1: 10 times
// CHECK: block 2: 9 times
// CHECK: block 3: 8.1 times
// CHECK: block 4: 0.526 times
// CHECK: block 5: 0.474 times
// CHECK: block 6: 1 times
ori.func @two_exits(%p: !ori.p, %q: !ori.p) target "sm_90" {
  ori.bra ^test
^test:
  ori.cond_bra %p, ^body, ^left : !ori.p
^body:
  ori.cond_bra %q, ^rest, ^right : !ori.p
^rest:
  ori.bra ^test
^left:
  ori.bra ^exit
^right:
  ori.bra ^exit
^exit:
  ori.ret
}

// Pragmas say it, and that a way is not taken.
// CHECK: block 0: 1 times
// CHECK: block 1: 0 times
// CHECK: block 2: 1 times
// CHECK: block 3: 7 times
ori.func @stated(%p: !ori.p) target "sm_90" {
  ori.cond_bra %p, ^cold, ^warm : !ori.p
^cold:
  ori.bra ^hot {ori.pragmas = ["frequency 0"]}
^warm:
  ori.bra ^hot
^hot:
  ori.bra ^exit {ori.pragmas = ["frequency 7"]}
^exit:
  ori.ret
}

// What is never reached is never executed; a loop that is never left leads nowhere.
// CHECK: block 1: 10 times
// CHECK: block 2: 0 times
ori.func @forever() target "sm_90" {
  ori.bra ^loop
^loop:
  ori.bra ^loop
^unreached:
  ori.ret
}
