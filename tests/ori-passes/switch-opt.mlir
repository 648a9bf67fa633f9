// How switches are done: phases 14 and 30. Each function is one rule.
//
// RUN: orison-opt --ori-switch-opt --remarks=text %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s <%t.remarks
// RUN: orison-opt --ori-switch-opt='knobs=SwitchOptBudget=0' --remarks=text %s 2>&1 >/dev/null | FileCheck --check-prefix=BUDGET %s
// RUN: orison-opt --ori-switch-opt='knobs=SwitchOptExtendedPatternMatch=false' %s | FileCheck --check-prefix=PLAIN %s
// RUN: orison-opt --ori-switch-opt='knobs=SwitchOptRewriteBranches=false' %s | FileCheck --check-prefix=OFF %s
// RUN: orison-opt --ori-switch-opt='knobs=SwitchOptMergeCases=false' %s | FileCheck --check-prefix=APART %s
// RUN: orison-opt --ori-switch-opt='knobs=SwitchOptChainLimit=6' %s | FileCheck --check-prefix=CHAIN %s
// RUN: orison-opt --ori-switch-opt='knobs=SwitchOptTableLimit=5' %s | FileCheck --check-prefix=SMALL %s
// RUN: orison-opt --ori-switch-opt='knobs=SwitchOptDensity=100' %s | FileCheck --check-prefix=SMALL %s
// RUN: orison-opt --ori-switch-opt --ori-switch-opt %s | FileCheck %s

// Five of six numbers from 10 on: a test for the range, and a branch by number; the gap and all others
// lead to the default. The values passed along the edges are kept.
// REMARK: switch-opt.mlir:[[#@LINE+29]]:{{.*}}: remark: [ori-switch-opt] Passed switch: dense cases: jump table
// BUDGET: remark: [ori-switch-opt] Missed switch: the budget is exhausted; a larger SwitchOptBudget
// CHECK-LABEL: ori.func @dense(
// CHECK-SAME: %[[X:.*]]: !ori.r, %[[Y:.*]]: !ori.r)
// CHECK: %[[LEAST:.*]] = ori.imm -10 : !ori.r
// CHECK: %[[INDEX:.*]] = ori.iadd3 %[[X]], %[[LEAST]], %{{.*}}
// CHECK: %[[SIZE:.*]] = ori.imm 6 : !ori.r
// CHECK: %[[OUT:.*]] = ori.isetp <ge, u32, and> %[[INDEX]], %[[SIZE]]
// CHECK: ori.cond_bra %[[OUT]], ^[[END:[a-z0-9]*]](%[[Y]] : !ori.r), ^[[IN:[a-z0-9]*]] : !ori.p
// CHECK: ^[[IN]]:
// CHECK-NEXT: ori.brx %[[INDEX]], [^[[A:[a-z0-9]*]], ^[[B:[a-z0-9]*]](%[[X]] : !ori.r), ^[[END]](%[[Y]] : !ori.r), ^[[A]], ^[[END]](%{{.*}} : !ori.r), ^[[A]]]
// CHECK-NOT: ori.cond_bra
// CHECK: ori.ret
// OFF-LABEL: ori.func @dense(
// OFF-COUNT-5: ori.cond_bra
// CHAIN-LABEL: ori.func @dense(
// CHAIN-COUNT-5: ori.cond_bra
// CHAIN-NOT: ori.brx
// CHAIN-LABEL: ori.func @sparse(
// SMALL-LABEL: ori.func @dense(
// SMALL: ori.isetp <lt, s32, and>
// SMALL-LABEL: ori.func @sparse(
ori.func @dense(%x: !ori.r, %y: !ori.r) -> !ori.r target "sm_80" {
  %c10 = ori.imm 10 : !ori.r
  %c11 = ori.imm 11 : !ori.r
  %c13 = ori.imm 13 : !ori.r
  %c14 = ori.imm 14 : !ori.r
  %c15 = ori.imm 15 : !ori.r
  %p = ori.isetp <eq, s32, and> %x, %c13 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p, ^a, ^t1 : !ori.p
^t1:
  %q = ori.isetp <ne, u32, and> %c10, %x : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %q, ^t2(%y : !ori.r), ^a : !ori.p
^t2(%z: !ori.r):
  %r = ori.isetp <eq, s32, and> %x, %c11 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra not %r, ^t3(%x : !ori.r), ^b(%x : !ori.r) : !ori.p
^t3(%w: !ori.r):
  %s = ori.isetp <eq, s32, and> %w, %c15 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %s, ^a, ^t4 : !ori.p
^t4:
  %t = ori.isetp <eq, s32, and> %x, %c14 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %t, ^end(%c14 : !ori.r), ^end(%z : !ori.r) : !ori.p
^a:
  %sum = ori.iadd3 %x, %y, %y : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^end(%sum : !ori.r)
^b(%v: !ori.r):
  %bits = ori.popc %v : (!ori.r) -> !ori.r
  ori.bra ^end(%bits : !ori.r)
^end(%value: !ori.r):
  ori.ret %value : !ori.r
}

// The second test of 0 is false where it is reached.
// CHECK-LABEL: ori.func @twice(
// CHECK: ori.cond_bra %{{.*}}, ^[[FIRST:[a-z0-9]*]], ^
// CHECK: ^[[FIRST]]:
// CHECK-NEXT: ori.popc
ori.func @twice(%x: !ori.r, %y: !ori.r) -> !ori.r target "sm_80" {
  %c0 = ori.imm 0 : !ori.r
  %c1 = ori.imm 1 : !ori.r
  %c2 = ori.imm 2 : !ori.r
  %c3 = ori.imm 3 : !ori.r
  %c4 = ori.imm 4 : !ori.r
  %p = ori.isetp <eq, s32, and> %x, %c0 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p, ^a, ^t1 : !ori.p
^t1:
  %q = ori.isetp <eq, s32, and> %x, %c1 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %q, ^b, ^t2 : !ori.p
^t2:
  %r = ori.isetp <eq, s32, and> %x, %c0 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %r, ^c, ^t3 : !ori.p
^t3:
  %s = ori.isetp <eq, s32, and> %x, %c2 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %s, ^b, ^t4 : !ori.p
^t4:
  %t = ori.isetp <eq, s32, and> %x, %c3 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %t, ^d, ^t5 : !ori.p
^t5:
  %u = ori.isetp <eq, s32, and> %x, %c4 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %u, ^b, ^d : !ori.p
^a:
  %bits = ori.popc %x : (!ori.r) -> !ori.r
  ori.ret %bits : !ori.r
^b:
  ori.ret %y : !ori.r
^c:
  %reversed = ori.brev %x : (!ori.r) -> !ori.r
  ori.ret %reversed : !ori.r
^d:
  ori.ret %x : !ori.r
}

// Far apart: less than the one in the middle, then equal to it; the least number there is, too.
// CHECK-LABEL: ori.func @sparse(
// CHECK-SAME: %[[X:.*]]: !ori.r)
// CHECK: %[[MIDDLE:.*]] = ori.imm 7 : !ori.r
// CHECK: %[[LESS:.*]] = ori.isetp <lt, s32, and> %[[X]], %[[MIDDLE]]
// CHECK: ori.cond_bra %[[LESS]], ^[[LEFT:[a-z0-9]*]], ^[[OTHER:[a-z0-9]*]]
// CHECK: ^[[LEFT]]:
// CHECK: ori.imm -2147483648
// CHECK: ori.isetp <eq, s32, and> %[[X]]
// CHECK: ^[[OTHER]]:
// CHECK: ori.isetp <eq, s32, and> %[[X]], %
// CHECK-NOT: ori.brx
// CHECK: ori.ret
ori.func @sparse(%x: !ori.r) -> !ori.r target "sm_80" {
  %c1 = ori.imm 1000000 : !ori.r
  %c2 = ori.imm 7 : !ori.r
  %c3 = ori.imm -2147483648 : !ori.r
  %c4 = ori.imm 2147483647 : !ori.r
  %c5 = ori.imm -900 : !ori.r
  %p1 = ori.isetp <eq, s32, and> %x, %c1 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p1, ^end(%c1 : !ori.r), ^t2 : !ori.p
^t2:
  %p2 = ori.isetp <eq, s32, and> %x, %c2 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p2, ^end(%c3 : !ori.r), ^t3 : !ori.p
^t3:
  %p3 = ori.isetp <eq, s32, and> %x, %c3 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p3, ^end(%c4 : !ori.r), ^t4 : !ori.p
^t4:
  %p4 = ori.isetp <eq, s32, and> %x, %c4 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p4, ^end(%c5 : !ori.r), ^t5 : !ori.p
^t5:
  %p5 = ori.isetp <eq, s32, and> %x, %c5 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p5, ^end(%c2 : !ori.r), ^end(%x : !ori.r) : !ori.p
^end(%value: !ori.r):
  ori.ret %value : !ori.r
}

// Two operations between tests are moved before the switch, three or a store are not: the chain ends
// there, and the four tests before are few.
// CHECK-LABEL: ori.func @between(
// CHECK: ori.popc
// CHECK: ori.brev
// CHECK: ori.brx
// CHECK: ori.ret
// PLAIN-LABEL: ori.func @between(
// PLAIN-NOT: ori.brx
// PLAIN: ori.ret
ori.func @between(%x: !ori.r) -> !ori.r target "sm_80" {
  %c0 = ori.imm 0 : !ori.r
  %c1 = ori.imm 1 : !ori.r
  %c2 = ori.imm 2 : !ori.r
  %c3 = ori.imm 3 : !ori.r
  %c4 = ori.imm 4 : !ori.r
  %p0 = ori.isetp <eq, s32, and> %x, %c0 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p0, ^end(%c1 : !ori.r), ^t1 : !ori.p
^t1:
  %p1 = ori.isetp <eq, s32, and> %x, %c1 : (!ori.r, !ori.r) -> !ori.p
  %bits = ori.popc %x : (!ori.r) -> !ori.r
  %back = ori.brev %bits : (!ori.r) -> !ori.r
  ori.cond_bra %p1, ^end(%back : !ori.r), ^t2 : !ori.p
^t2:
  %p2 = ori.isetp <eq, s32, and> %x, %c2 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p2, ^end(%c4 : !ori.r), ^t3 : !ori.p
^t3:
  %p3 = ori.isetp <eq, s32, and> %x, %c3 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p3, ^end(%c2 : !ori.r), ^t4 : !ori.p
^t4:
  %p4 = ori.isetp <eq, s32, and> %x, %c4 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p4, ^end(%bits : !ori.r), ^end(%c0 : !ori.r) : !ori.p
^end(%value: !ori.r):
  ori.ret %value : !ori.r
}

// A store between tests stays where it is.
// CHECK-LABEL: ori.func @store_between(
// CHECK-NOT: ori.brx
// CHECK: ori.ret
ori.func @store_between(%x: !ori.r, %q: !ori.r64) -> !ori.r target "sm_80" {
  %c0 = ori.imm 0 : !ori.r
  %c1 = ori.imm 1 : !ori.r
  %c2 = ori.imm 2 : !ori.r
  %c3 = ori.imm 3 : !ori.r
  %c4 = ori.imm 4 : !ori.r
  %p0 = ori.isetp <eq, s32, and> %x, %c0 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p0, ^end(%c1 : !ori.r), ^t1 : !ori.p
^t1:
  %p1 = ori.isetp <eq, s32, and> %x, %c1 : (!ori.r, !ori.r) -> !ori.p
  ori.stg [%q], %x : (!ori.r64, !ori.r) -> ()
  ori.cond_bra %p1, ^end(%c3 : !ori.r), ^t2 : !ori.p
^t2:
  %p2 = ori.isetp <eq, s32, and> %x, %c2 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p2, ^end(%c4 : !ori.r), ^t3 : !ori.p
^t3:
  %p3 = ori.isetp <eq, s32, and> %x, %c3 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p3, ^end(%c2 : !ori.r), ^t4 : !ori.p
^t4:
  %p4 = ori.isetp <eq, s32, and> %x, %c4 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p4, ^end(%c0 : !ori.r), ^end(%x : !ori.r) : !ori.p
^end(%value: !ori.r):
  ori.ret %value : !ori.r
}

// Cases that do the same are one; then three of four numbers lead to one place, and one test is left.
// CHECK-LABEL: ori.func @merged(
// CHECK-SAME: %[[X:.*]]: !ori.r)
// CHECK: %[[TWO:.*]] = ori.imm 2 : !ori.r
// CHECK: %[[IS:.*]] = ori.isetp <eq, s32, and> %[[X]], %[[TWO]]
// CHECK: ori.cond_bra %[[IS]],
// CHECK-COUNT-1: ori.popc
// CHECK-NOT: ori.popc
// CHECK: ori.ret
// APART-LABEL: ori.func @merged(
// APART-COUNT-3: ori.popc
ori.func @merged(%x: !ori.r) -> !ori.r target "sm_80" {
  ori.brx %x, [^a, ^b, ^c, ^d] : !ori.r
^a:
  %va = ori.popc %x : (!ori.r) -> !ori.r
  ori.bra ^end(%va : !ori.r)
^b:
  %vb = ori.popc %x : (!ori.r) -> !ori.r
  ori.bra ^end(%vb : !ori.r)
^c:
  %vc = ori.brev %x : (!ori.r) -> !ori.r
  ori.bra ^end(%vc : !ori.r)
^d:
  %vd = ori.popc %x : (!ori.r) -> !ori.r
  ori.bra ^end(%vd : !ori.r)
^end(%value: !ori.r):
  ori.ret %value : !ori.r
}

// Votes are convergent: two identical cases with votes are not merged.
// CHECK-LABEL: ori.func @votes(
// CHECK-COUNT-2: ori.vote
// CHECK: ori.ret
ori.func @votes(%x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  ori.brx %x, [^a, ^b] : !ori.r
^a:
  %va = ori.vote <all> %p : (!ori.p) -> !ori.r
  ori.bra ^end(%va : !ori.r)
^b:
  %vb = ori.vote <all> %p : (!ori.p) -> !ori.r
  ori.bra ^end(%vb : !ori.r)
^end(%value: !ori.r):
  ori.ret %value : !ori.r
}

// A branch by number reads a register of the thread: tests of a uniform register stay.
// CHECK-LABEL: ori.func @uniform(
// CHECK-COUNT-5: ori.isetp <eq, s32, and> %{{.*}} : (!ori.ur, !ori.ur) -> !ori.p
// CHECK-NOT: ori.brx
// CHECK: ori.ret
ori.func @uniform(%u: !ori.ur, %x: !ori.r) -> !ori.r target "sm_90" {
  %c10 = ori.imm 10 : !ori.ur
  %c11 = ori.imm 11 : !ori.ur
  %c12 = ori.imm 12 : !ori.ur
  %c13 = ori.imm 13 : !ori.ur
  %c14 = ori.imm 14 : !ori.ur
  %p = ori.isetp <eq, s32> %u, %c10 : (!ori.ur, !ori.ur) -> !ori.p
  ori.cond_bra %p, ^a, ^t1 : !ori.p
^t1:
  %q = ori.isetp <eq, s32> %u, %c11 : (!ori.ur, !ori.ur) -> !ori.p
  ori.cond_bra %q, ^a, ^t2 : !ori.p
^t2:
  %r = ori.isetp <eq, s32> %u, %c12 : (!ori.ur, !ori.ur) -> !ori.p
  ori.cond_bra %r, ^b, ^t3 : !ori.p
^t3:
  %s = ori.isetp <eq, s32> %u, %c13 : (!ori.ur, !ori.ur) -> !ori.p
  ori.cond_bra %s, ^b, ^t4 : !ori.p
^t4:
  %t = ori.isetp <eq, s32> %u, %c14 : (!ori.ur, !ori.ur) -> !ori.p
  ori.cond_bra %t, ^a, ^c : !ori.p
^a:
  ori.ret %x : !ori.r
^b:
  %sum = ori.iadd3 %x, %x, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %sum : !ori.r
^c:
  %bits = ori.popc %x : (!ori.r) -> !ori.r
  ori.ret %bits : !ori.r
}
