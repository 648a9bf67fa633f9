// The cost model of if-conversion: branches that must be converted, selects, chains of loads.
//
// RUN: orison-opt --ori-predication --remarks=text %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s <%t.remarks
// RUN: orison-opt --ori-predication='knobs=PredicationExtendedThreshold=3' %s | FileCheck --check-prefix=THREE %s
// RUN: orison-opt --ori-predication='knobs=PredicationBaseLimit=0,PredicationCombinedLimit=0,PredicationMovThreshold=0,PredicationUniformLimit=0' %s | FileCheck --check-prefix=LIMITS %s

// Three loads wait for each other.
// REMARK: remark: [ori-predication] Missed if-conversion: the taken arm has a chain of dependent loads; PredicationExtendedThreshold
// CHECK-LABEL: ori.func @chase(
// CHECK: ori.cond_bra
// THREE-LABEL: ori.func @chase(
// THREE-NOT: ori.cond_bra
// THREE: ori.ret
ori.func @chase(%p: !ori.r, %c: !ori.p) -> !ori.r target "sm_80" {
  ori.cond_bra %c, ^then, ^end(%p : !ori.r) : !ori.p
^then:
  %a = ori.lds <b32> [%p] : (!ori.r) -> !ori.r
  %b = ori.lds <b32> [%a] : (!ori.r) -> !ori.r
  %d = ori.lds <b32> [%b] : (!ori.r) -> !ori.r
  ori.bra ^end(%d : !ori.r)
^end(%value: !ori.r):
  ori.ret %value : !ori.r
}

// Three loads beside each other do not.
// CHECK-LABEL: ori.func @beside(
// CHECK-NOT: ori.cond_bra
// CHECK: ori.ret
ori.func @beside(%p: !ori.r, %c: !ori.p) -> !ori.r target "sm_80" {
  ori.cond_bra %c, ^then, ^end(%p : !ori.r) : !ori.p
^then:
  %a = ori.lds <b32> [%p] : (!ori.r) -> !ori.r
  %b = ori.lds <b32> [%p + 4] : (!ori.r) -> !ori.r
  %d = ori.lds <b32> [%p + 8] : (!ori.r) -> !ori.r
  %sum = ori.iadd3 %a, %b, %d : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^end(%sum : !ori.r)
^end(%value: !ori.r):
  ori.ret %value : !ori.r
}

// It must: no limit counts.
// LIMITS-LABEL: ori.func @must(
// LIMITS-NOT: ori.cond_bra
// LIMITS: ori.sts {{.*}} if %
// LIMITS: ori.ret
ori.func @must(%p: !ori.r, %c: !ori.p) target "sm_80" {
  ori.cond_bra %c, ^then, ^end {ori.must_predicate} : !ori.p
^then:
  ori.sts <b32> [%p], %p : (!ori.r, !ori.r) -> ()
  ori.bra ^end
^end:
  ori.ret
}

// It must, but a barrier is for all threads: what cannot be, is not.
// LIMITS-LABEL: ori.func @cannot(
// LIMITS: ori.cond_bra
ori.func @cannot(%p: !ori.r, %c: !ori.p) -> !ori.r target "sm_80" {
  ori.cond_bra %c, ^then, ^end(%p : !ori.r) {ori.must_predicate} : !ori.p
^then:
  %v = ori.vote <all> %c : (!ori.p) -> !ori.r
  ori.bra ^end(%v : !ori.r)
^end(%value: !ori.r):
  ori.ret %value : !ori.r
}

// The condition is a selection between constants: a selection stood there before. Without it, the
// limits count.
// LIMITS-LABEL: ori.func @selected(
// LIMITS-NOT: ori.cond_bra
// LIMITS: ori.ret
// LIMITS-LABEL: ori.func @compared(
// LIMITS: ori.cond_bra
ori.func @selected(%p: !ori.r, %c: !ori.p) target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %choice = ori.sel %one, %zero, %c : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %is = ori.isetp <ne, s32, and> %choice, %zero : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %is, ^then, ^end : !ori.p
^then:
  ori.sts <b32> [%p], %p : (!ori.r, !ori.r) -> ()
  ori.bra ^end
^end:
  ori.ret
}

ori.func @compared(%p: !ori.r, %c: !ori.r) target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %is = ori.isetp <ne, s32, and> %c, %zero : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %is, ^then, ^end : !ori.p
^then:
  ori.sts <b32> [%p], %p : (!ori.r, !ori.r) -> ()
  ori.bra ^end
^end:
  ori.ret
}
