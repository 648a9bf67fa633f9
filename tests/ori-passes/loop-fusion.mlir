// Loops that ori-loop-fusion fuses with the loop behind them.
//
// RUN: orison-opt --ori-loop-fusion=knobs=PerformLoopFusion=1 --ori-perform-live-dead %s | FileCheck %s
// RUN: orison-opt --ori-loop-fusion=knobs=PerformLoopFusion=1 --remarks=text -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=REMARK

// Eight iterations both: 0, 1, ... 7 and 16, 14, ... 2. The counter of the second one is none of the first one; both
// sums are there behind the loop.
// The remark is at the branch of the second one.
// REMARK: :[[@LINE+29]]:3: remark: [ori-loop-fusion] Passed loop-fusion: fused with the loop before it; 6 instructions
// CHECK-LABEL: ori.func @constants(
// CHECK: ori.bra ^[[LOOP:bb[0-9]+]](%[[ZERO:.*]], %[[ZERO]], %[[SIXTEEN:.*]], %[[ZERO]] : !ori.r, !ori.r, !ori.r, !ori.r)
// CHECK: ^[[LOOP]](%[[I:[^:]*]]: !ori.r, %[[S:[^:]*]]: !ori.r, %[[J:[^:]*]]: !ori.r, %[[T:[^:]*]]: !ori.r):
// CHECK: %[[S2:.*]] = ori.iadd3 %[[S]], %[[I]], %
// CHECK: %[[I2:.*]] = ori.iadd3 %[[I]], %
// CHECK: %[[MORE:.*]] = ori.isetp <lt, s32, and> %[[I2]], %
// CHECK: %[[T2:.*]] = ori.imad %[[J]], %[[J]], %[[T]]
// CHECK: %[[J2:.*]] = ori.iadd3 %[[J]], %
// CHECK-NOT: ori.isetp
// CHECK: ori.cond_bra %[[MORE]], ^[[LOOP]](%[[I2]], %[[S2]], %[[J2]], %[[T2]] : {{.*}}), ^[[EXIT:bb[0-9]+]]
// CHECK: ori.stg <b32> [%arg0], %[[S2]]
// CHECK: ori.stg <b32> [%arg0 + 4], %[[T2]]
ori.func @constants(%p: !ori.r64) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %two = ori.imm -2 : !ori.r
  %eight = ori.imm 8 : !ori.r
  %sixteen = ori.imm 16 : !ori.r
  ori.bra ^first(%zero, %zero : !ori.r, !ori.r)
^first(%i: !ori.r, %s: !ori.r):
  %s2 = ori.iadd3 %s, %i, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %i2, %eight : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^first(%i2, %s2 : !ori.r, !ori.r), ^second(%sixteen, %zero : !ori.r, !ori.r) : !ori.p
^second(%j: !ori.r, %t: !ori.r):
  %t2 = ori.imad %j, %j, %t : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %j2 = ori.iadd3 %j, %two, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <ne, s32, and> %j2, %zero : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^second(%j2, %t2 : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.stg <b32> [%p], %s2 : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%p + 4], %t2 : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// The same counter: there is one of it in the fused loop. The second one leaves with an inverted condition.
// CHECK-LABEL: ori.func @symbolic(
// CHECK: ori.bra ^[[LOOP:bb[0-9]+]](%[[ZERO:.*]], %[[ZERO]], %[[ZERO]] : !ori.r, !ori.r, !ori.r)
// CHECK: ^[[LOOP]](%[[I:[^:]*]]: !ori.r, %[[S:[^:]*]]: !ori.r, %[[T:[^:]*]]: !ori.r):
// CHECK: %[[I2:.*]] = ori.iadd3 %[[I]], %
// CHECK: %[[T2:.*]] = ori.imad %[[I]], %[[I2]], %[[T]]
// CHECK-NEXT: ori.cond_bra
// CHECK: ^{{bb[0-9]+}}(%[[LAST:.*]]: !ori.r):
// CHECK: ori.stg <b32> [%arg0], %[[LAST]]
ori.func @symbolic(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero, %zero : !ori.r, !ori.r)
^first(%i: !ori.r, %s: !ori.r):
  %s2 = ori.iadd3 %s, %i, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, u32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^first(%i2, %s2 : !ori.r, !ori.r), ^second(%zero, %zero : !ori.r, !ori.r) : !ori.p
^second(%j: !ori.r, %t: !ori.r):
  %j2 = ori.iadd3 %one, %j, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %t2 = ori.imad %j, %j2, %t : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %done = ori.isetp <le, u32, and> %n, %j2 : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %done, ^exit(%j2 : !ori.r), ^second(%j2, %t2 : !ori.r, !ori.r) : !ori.p
^exit(%last: !ori.r):
  ori.stg <b32> [%p], %last : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%p + 4], %t2 : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%p + 8], %s2 : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// Up from 0 to n by 1, down from 3n to 0 by 3, compared for equality: the differences have the same odd factor.
// REMARK: remark: [ori-loop-fusion] Passed
// CHECK-LABEL: ori.func @equalities(
// CHECK-COUNT-1: ori.cond_bra
// CHECK-NOT: ori.cond_bra
ori.func @equalities(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %three = ori.imm 3 : !ori.r
  %down = ori.imm -3 : !ori.r
  %from = ori.imad %n, %three, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <ne, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^first(%i2 : !ori.r), ^second(%from : !ori.r) : !ori.p
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %down, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <ne, u32, and> %j2, %zero : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Up while i < n, and down while ~i > ~n, which is the same: there are as many numbers left.
// REMARK: remark: [ori-loop-fusion] Passed
// CHECK-LABEL: ori.func @complements(
// CHECK-COUNT-1: ori.cond_bra
// CHECK-NOT: ori.cond_bra
ori.func @complements(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %down = ori.imm -1 : !ori.r
  %inverse = ori.iadd3 neg %n, %down, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^first(%i2 : !ori.r), ^second(%down : !ori.r) : !ori.p
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %down, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <gt, s32, and> %j2, %inverse : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The second loop reads what the same iteration of the first one has written (distance 0), and the one before.
// REMARK: remark: [ori-loop-fusion] Passed
// CHECK-LABEL: ori.func @written_before(
// CHECK-COUNT-1: ori.cond_bra
// CHECK-NOT: ori.cond_bra
ori.func @written_before(%p: !ori.r64, %q: !ori.r64) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %four = ori.imm 4 : !ori.r
  %n = ori.imm 100 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  %a = ori.imad_wide <u32> %i, %four, %p : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  ori.stg <b32> [%a + 4], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^first(%i2 : !ori.r), ^second(%zero, %zero : !ori.r, !ori.r) : !ori.p
^second(%j: !ori.r, %s: !ori.r):
  %b = ori.imad_wide <u32> %j, %four, %p : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %same = ori.ldg <b32> [%b + 4] : (!ori.r64) -> !ori.r
  %previous = ori.ldg <b32> [%b] : (!ori.r64) -> !ori.r
  %s2 = ori.iadd3 %s, %same, %previous : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^second(%j2, %s2 : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.stg <b32> [%q], %s2 : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// What the second loop begins with is computed in front of the first one, a read that the first one does not write
// included; what depends on the first one is stored behind it.
// REMARK: remark: [ori-loop-fusion] Passed
// CHECK-LABEL: ori.func @between(
// CHECK: %[[BEGIN:.*]] = ori.lds <b32> [%arg2]
// CHECK: %[[TWICE:.*]] = ori.iadd3 %[[BEGIN]], %[[BEGIN]]
// CHECK: ori.bra ^[[LOOP:bb[0-9]+]]({{.*}}, %[[TWICE]] :
// CHECK: ^[[LOOP]](
// CHECK: ori.cond_bra %{{.*}}, ^[[LOOP]]({{.*}}), ^[[BEHIND:bb[0-9]+]](%[[S2:[^ ]*]] :
// CHECK: ^[[BEHIND]](%[[SUM:.*]]: !ori.r):
// CHECK: %[[PRODUCT:.*]] = ori.imad %[[SUM]], %[[SUM]]
// CHECK: ori.stg <b32> [%arg0], %[[PRODUCT]]
// CHECK: ori.bra ^[[EXIT:bb[0-9]+]](%[[T2:.*]] : !ori.r)
// CHECK: ^[[EXIT]](%[[T:.*]]: !ori.r):
// CHECK: ori.stg <b32> [%arg0 + 4], %[[T]]
ori.func @between(%p: !ori.r64, %n: !ori.r, %shared: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero, %zero : !ori.r, !ori.r)
^first(%i: !ori.r, %s: !ori.r):
  %x = ori.ldg <b32> [%p + 8] : (!ori.r64) -> !ori.r
  %s2 = ori.iadd3 %s, %x, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^first(%i2, %s2 : !ori.r, !ori.r), ^between(%s2 : !ori.r) : !ori.p
^between(%sum: !ori.r):
  %begin = ori.lds <b32> [%shared] : (!ori.r) -> !ori.r
  %twice = ori.iadd3 %begin, %begin, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %product = ori.imad %sum, %sum, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%p], %product : (!ori.r64, !ori.r) -> ()
  ori.bra ^second(%zero, %twice : !ori.r, !ori.r)
^second(%j: !ori.r, %t: !ori.r):
  %t2 = ori.imad %j, %j, %t : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^second(%j2, %t2 : !ori.r, !ori.r), ^exit(%t2 : !ori.r) : !ori.p
^exit(%last: !ori.r):
  ori.stg <b32> [%p + 4], %last : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// Rotated loops, each behind the test whether it runs at all: it is the same test. What lies between them is copied.
// Before the first loop the sum is 0, and stored.
// REMARK: remark: [ori-loop-fusion] Passed
// CHECK-LABEL: ori.func @guards(
// CHECK: ori.cond_bra %{{.*}}, ^[[NEITHER:bb[0-9]+]](%[[ZERO:[^ ]*]] : !ori.r), ^[[ENTER:bb[0-9]+]] :
// CHECK: ^[[ENTER]]:
// CHECK-NEXT: ori.bra ^[[LOOP:bb[0-9]+]](
// CHECK-NEXT: ^[[LOOP]](
// CHECK: ori.cond_bra %{{.*}}, ^[[LOOP]]({{.*}}), ^[[BETWEEN:bb[0-9]+]](%[[S2:[^ ]*]] :
// CHECK: ^[[BETWEEN]](%[[SUM:.*]]: !ori.r):
// CHECK-NEXT: ori.stg <b32> [%arg0], %[[SUM]]
// CHECK-NEXT: ori.bra ^[[EXIT:bb[0-9]+]](%{{.*}}, %[[S2]] :
// CHECK: ^[[NEITHER]](%[[NONE:.*]]: !ori.r):
// CHECK-NEXT: ori.stg <b32> [%arg0], %[[NONE]]
// CHECK-NEXT: ori.bra ^[[EXIT]](%[[ZERO]], %[[NONE]] :
// CHECK: ^[[EXIT]](%[[T:.*]]: !ori.r, %[[SUMS:.*]]: !ori.r):
// CHECK: ori.stg <b32> [%arg0 + 4], %[[T]]
// CHECK: ori.stg <b32> [%arg0 + 8], %[[SUMS]]
ori.func @guards(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %none = ori.isetp <ge, s32, and> %zero, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %none, ^between(%zero : !ori.r), ^first(%zero, %zero : !ori.r, !ori.r) : !ori.p
^first(%i: !ori.r, %s: !ori.r):
  %s2 = ori.imad %i, %i, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^first(%i2, %s2 : !ori.r, !ori.r), ^between(%s2 : !ori.r) : !ori.p
^between(%sum: !ori.r):
  ori.stg <b32> [%p], %sum : (!ori.r64, !ori.r) -> ()
  %some = ori.isetp <gt, s32, and> %n, %zero : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %some, ^second(%zero, %zero : !ori.r, !ori.r), ^exit(%zero : !ori.r) : !ori.p
^second(%j: !ori.r, %t: !ori.r):
  %t2 = ori.iadd3 %j, %j, %t : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^second(%j2, %t2 : !ori.r, !ori.r), ^exit(%t2 : !ori.r) : !ori.p
^exit(%last: !ori.r):
  ori.stg <b32> [%p + 4], %last : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%p + 8], %sum : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// Four loops in a loop become one loop in it: two of two in the first round.
// REMARK-COUNT-3: remark: [ori-loop-fusion] Passed
// CHECK-LABEL: ori.func @chain(
// CHECK: ^[[OUTER:bb[0-9]+]](%[[K:[^:]*]]: !ori.r):
// CHECK: ^[[LOOP:bb[0-9]+]](%[[I:[^:]*]]: !ori.r):
// CHECK-NEXT: ori.stg <b32> [%arg0], %[[I]]
// CHECK: ori.stg <b32> [%arg0 + 4], %[[I]]
// CHECK-NEXT: ori.stg <b32> [%arg0 + 8], %[[I]]
// CHECK-NEXT: ori.stg <b32> [%arg0 + 12], %[[I]]
// CHECK-NEXT: ori.cond_bra %{{.*}}, ^[[LOOP]](
// CHECK: ori.cond_bra %{{.*}}, ^[[OUTER]](
// CHECK-NOT: ori.cond_bra
ori.func @chain(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^outer(%zero : !ori.r)
^outer(%k: !ori.r):
  ori.bra ^a(%k : !ori.r)
^a(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %ai = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %ai, ^a(%i2 : !ori.r), ^b(%k : !ori.r) : !ori.p
^b(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %bj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %bj, ^b(%j2 : !ori.r), ^c(%k : !ori.r) : !ori.p
^c(%l: !ori.r):
  ori.stg <b32> [%p + 8], %l : (!ori.r64, !ori.r) -> ()
  %l2 = ori.iadd3 %l, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %cl = ori.isetp <lt, s32, and> %l2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %cl, ^c(%l2 : !ori.r), ^d(%k : !ori.r) : !ori.p
^d(%m: !ori.r):
  ori.stg <b32> [%p + 12], %m : (!ori.r64, !ori.r) -> ()
  %m2 = ori.iadd3 %m, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %dm = ori.isetp <lt, s32, and> %m2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %dm, ^d(%m2 : !ori.r), ^latch : !ori.p
^latch:
  %k2 = ori.iadd3 %k, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %on = ori.isetp <lt, s32, and> %k2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %on, ^outer(%k2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Ten iterations each, from 0 and from 10: two counters with the same step.
// REMARK: remark: [ori-loop-fusion] Passed
// CHECK-LABEL: ori.func @other_start(
// CHECK: ^[[LOOP:bb[0-9]+]](%[[I:[^:]*]]: !ori.r, %[[J:.*]]: !ori.r):
// CHECK: ori.stg <b32> [%arg0], %[[I]]
// CHECK: ori.stg <b32> [%arg0 + 4], %[[J]]
// CHECK: ori.cond_bra %{{.*}}, ^[[LOOP]](
// CHECK-NOT: ori.cond_bra
ori.func @other_start(%p: !ori.r64) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %ten = ori.imm 10 : !ori.r
  %twenty = ori.imm 20 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %i2, %ten : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^first(%i2 : !ori.r), ^second(%ten : !ori.r) : !ori.p
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %j2, %twenty : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// What the second loop reads is stored between them, and so is what its start is read from: both stores stay before
// the reads. A store that it does not read stays behind.
// REMARK: remark: [ori-loop-fusion] Passed
// CHECK-LABEL: ori.func @stored_between(
// CHECK: ori.sts <b32> [%arg1], %arg2
// CHECK: ori.sts <b32> [%arg1 + 4], %arg2
// CHECK: %[[START:.*]] = ori.lds <b32> [%arg1 + 4]
// CHECK: ori.bra ^[[LOOP:bb[0-9]+]]({{.*}}, %[[START]] :
// CHECK: ori.cond_bra %{{.*}}, ^[[LOOP]]({{.*}}), ^[[BEHIND:bb[0-9]+]]
// CHECK: ^[[BEHIND]]
// CHECK-NEXT: ori.sts <b32> [%arg1 + 8], %arg2
ori.func @stored_between(%p: !ori.r64, %shared: !ori.r, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^first(%i2 : !ori.r), ^between : !ori.p
^between:
  ori.sts <b32> [%shared + 8], %n : (!ori.r, !ori.r) -> ()
  ori.sts <b32> [%shared], %n : (!ori.r, !ori.r) -> ()
  ori.sts <b32> [%shared + 4], %n : (!ori.r, !ori.r) -> ()
  %start = ori.lds <b32> [%shared + 4] : (!ori.r) -> !ori.r
  ori.bra ^second(%zero, %start : !ori.r, !ori.r)
^second(%j: !ori.r, %s: !ori.r):
  %x = ori.lds <b32> [%shared] : (!ori.r) -> !ori.r
  %s2 = ori.iadd3 %s, %x, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^second(%j2, %s2 : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.stg <b32> [%p + 4], %s2 : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// Threads exchange values in the first loop: all of them run equally often.
// REMARK: remark: [ori-loop-fusion] Passed
// CHECK-LABEL: ori.func @vote(
// CHECK-COUNT-1: ori.cond_bra
// CHECK-NOT: ori.cond_bra
ori.func @vote(%p: !ori.r64, %q: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %n = ori.cbank [0, 0] : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  %t:2 = ori.vote <any> %q : (!ori.p) -> (!ori.r, !ori.p)
  ori.stg <b32> [%p], %t#0 : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^first(%i2 : !ori.r), ^second(%zero : !ori.r) : !ori.p
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Eight iterations each, from 0 by 1 and from 0 by 2: two counters. What the second loop reads is passed to a block
// between them.
// REMARK: remark: [ori-loop-fusion] Passed
// CHECK-LABEL: ori.func @other_step(
// CHECK: ^[[LOOP:bb[0-9]+]](%[[I:[^:]*]]: !ori.r, %[[J:.*]]: !ori.r):
// CHECK: ori.stg <b32> [%arg0], %[[I]]
// CHECK: %[[SUM:.*]] = ori.iadd3 %[[J]], %arg1
// CHECK: ori.stg <b32> [%arg0 + 4], %[[SUM]]
// CHECK: ori.cond_bra %{{.*}}, ^[[LOOP]](
// CHECK-NOT: ori.cond_bra
ori.func @other_step(%p: !ori.r64, %w: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %two = ori.imm 2 : !ori.r
  %eight = ori.imm 8 : !ori.r
  %sixteen = ori.imm 16 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %i2, %eight : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^first(%i2 : !ori.r), ^between(%w : !ori.r) : !ori.p
^between(%passed: !ori.r):
  ori.bra ^second(%zero : !ori.r)
^second(%j: !ori.r):
  %sum = ori.iadd3 %j, %passed, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%p + 4], %sum : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %two, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %j2, %sixteen : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}
