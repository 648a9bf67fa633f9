// Equal values are computed once: phase 49.
//
// RUN: orison-opt --ori-gvn --remarks=text %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s <%t.remarks
// RUN: orison-opt --ori-gvn='knobs=GvnCseMode=0' %s | FileCheck --check-prefix=OFF %s
// RUN: orison-opt --ori-gvn='knobs=GvnCseMode=1,GvnCseExtendedBlocks=false' %s | FileCheck --check-prefix=LOCAL %s
// RUN: orison-opt --ori-gvn='knobs=GvnCseMode=2' %s | FileCheck --check-prefix=NOLOADS %s
// RUN: orison-opt --ori-gvn='knobs=GvnCseBudget=0' %s | FileCheck --check-prefix=OFF %s

// OFF-LABEL: ori.func @commuted(
// OFF-COUNT-5: ori.iadd3
// OFF-COUNT-2: ori.ldg

// Operands of sums change places, with their modifiers; those of other operations do not.
// CHECK-LABEL: ori.func @commuted(
// CHECK-NEXT: %[[SUM:.*]] = ori.iadd3 %{{.*}}, neg %{{.*}}, %{{.*}} :
// CHECK-NEXT: %[[OTHER:.*]] = ori.iadd3 neg %{{.*}}, %{{.*}}, %{{.*}} :
// CHECK-NEXT: %[[SHIFT:.*]] = ori.shf <left, u32> %arg0, %arg1, %arg2
// CHECK-NEXT: %[[TURNED:.*]] = ori.shf <left, u32> %arg1, %arg0, %arg2
// CHECK-NEXT: ori.ret %[[SUM]], %[[SUM]], %[[OTHER]], %[[SHIFT]], %[[TURNED]]
ori.func @commuted(%a: !ori.r, %b: !ori.r, %c: !ori.r) -> (!ori.r, !ori.r, !ori.r, !ori.r, !ori.r) target "sm_80" {
  %x = ori.iadd3 %a, neg %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.iadd3 %c, %a, neg %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %z = ori.iadd3 neg %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %s = ori.shf <left, u32> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %t = ori.shf <left, u32> %b, %a, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %x, %y, %z, %s, %t : !ori.r, !ori.r, !ori.r, !ori.r, !ori.r
}

// Equal guards, and an unguarded operation before a guarded one, match; a guarded operation before an
// unguarded one, and different guards, do not.
// CHECK-LABEL: ori.func @guarded(
// CHECK-NEXT: %[[P:.*]] = ori.iadd3 %arg0, %arg0, %arg0 if %arg1
// CHECK-NEXT: %[[NOT:.*]] = ori.iadd3 %arg0, %arg0, %arg0 if not %arg1
// CHECK-NEXT: %[[ALL:.*]] = ori.iadd3 %arg0, %arg0, %arg0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: %[[ELSE:.*]] = ori.iadd3 %arg0, %arg0, %arg0 if %arg1 else %arg0
// CHECK-NEXT: ori.ret %[[P]], %[[P]], %[[NOT]], %[[ALL]], %[[P]], %[[ELSE]]
ori.func @guarded(%a: !ori.r, %p: !ori.p) -> (!ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r) target "sm_80" {
  %u = ori.iadd3 %a, %a, %a if %p : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %v = ori.iadd3 %a, %a, %a if %p : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %w = ori.iadd3 %a, %a, %a if not %p : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %x = ori.iadd3 %a, %a, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.iadd3 %a, %a, %a if %p : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %z = ori.iadd3 %a, %a, %a if %p else %a : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.r) -> !ori.r
  ori.ret %u, %v, %w, %x, %y, %z : !ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r
}

// CHECK-LABEL: ori.func @unguarded_first(
// CHECK-NEXT: %[[ALL:.*]] = ori.iadd3 %arg0, %arg0, %arg0 : (!ori.r, !ori.r, !ori.r) -> !ori.r
// CHECK-NEXT: ori.ret %[[ALL]], %[[ALL]]
ori.func @unguarded_first(%a: !ori.r, %p: !ori.p) -> (!ori.r, !ori.r) target "sm_80" {
  %x = ori.iadd3 %a, %a, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.iadd3 %a, %a, %a if not %p : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret %x, %y : !ori.r, !ori.r
}

// Along the dominator tree only: a value computed in one arm is not available in the other.
// CHECK-LABEL: ori.func @tree(
// CHECK: %[[ABOVE:.*]] = ori.imad
// CHECK: ori.cond_bra
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: %[[LEFT:.*]] = ori.popc %[[ABOVE]]
// CHECK: ^bb2:
// CHECK-NEXT: %[[RIGHT:.*]] = ori.popc %[[ABOVE]]
// LOCAL-LABEL: ori.func @tree(
// LOCAL-COUNT-2: ori.imad
ori.func @tree(%a: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %x = ori.imad %a, %a, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.cond_bra %p, ^left, ^right : !ori.p
^left:
  %l = ori.popc %x : (!ori.r) -> !ori.r
  ori.bra ^end(%l : !ori.r)
^right:
  %y = ori.imad %a, %a, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %r = ori.popc %y : (!ori.r) -> !ori.r
  ori.bra ^end(%r : !ori.r)
^end(%v: !ori.r):
  ori.ret %v : !ori.r
}

// Convergent operations and clock reads differ at each execution.
// CHECK-LABEL: ori.func @lanes(
// CHECK-COUNT-2: ori.shfl
// CHECK-COUNT-2: ori.vote
// CHECK-COUNT-2: ori.cs2r
// CHECK-COUNT-2: ori.r2ur
ori.func @lanes(%a: !ori.r, %p: !ori.p) -> (!ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.ur, !ori.ur) target "sm_80" {
  %s = ori.shfl <idx> %a, %a, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %t = ori.shfl <idx> %a, %a, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %u = ori.vote <any> %p : (!ori.p) -> !ori.r
  %v = ori.vote <any> %p : (!ori.p) -> !ori.r
  %w = ori.cs2r <register = "SR_CLOCKLO"> : !ori.r
  %x = ori.cs2r <register = "SR_CLOCKLO"> : !ori.r
  %y = ori.r2ur %a : (!ori.r) -> !ori.ur
  %z = ori.r2ur %a : (!ori.r) -> !ori.ur
  ori.ret %s, %t, %u, %v, %w, %x, %y, %z : !ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.ur, !ori.ur
}

// Loads: a store elsewhere does not count, one that may be there does.
// CHECK-LABEL: ori.func @loads(
// CHECK-NEXT: %[[FIRST:.*]] = ori.ldg <b32> [%arg0]
// CHECK-NEXT: ori.stg <b32> [%arg0 + 4]
// CHECK-NEXT: ori.sts <b32> [%arg2]
// CHECK-NEXT: ori.stg <b32> [%arg1]
// CHECK-NEXT: %[[SECOND:.*]] = ori.ldg <b32> [%arg0]
// CHECK-NEXT: ori.ret %[[FIRST]], %[[FIRST]], %[[SECOND]]
// REMARK: gvn.mlir:[[#@LINE+9]]:{{.*}} remark: [ori-gvn] Missed equal-load: a store after the dominating equal load may write to the same address; addresses that provably differ
// NOLOADS-LABEL: ori.func @loads(
// NOLOADS-COUNT-3: ori.ldg
ori.func @loads(%q: !ori.r64, %other: !ori.r64, %s: !ori.r) -> (!ori.r, !ori.r, !ori.r) target "sm_80" {
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  ori.stg <b32> [%q + 4], %s : (!ori.r64, !ori.r) -> ()
  ori.sts <b32> [%s], %s : (!ori.r, !ori.r) -> ()
  %b = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  ori.stg <b32> [%other], %s : (!ori.r64, !ori.r) -> ()
  %c = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  ori.ret %a, %b, %c : !ori.r, !ori.r, !ori.r
}

// Constant memory is loaded once, regardless of stores; ordered loads are repeated; a
// barrier orders.
// CHECK-LABEL: ori.func @kinds_of_loads(
// CHECK-COUNT-1: ori.ldg <b32, constant>
// CHECK-COUNT-2: ori.ldg <b32, strong, gpu>
// CHECK-COUNT-2: ori.lds
// CHECK: ori.ret %[[C:.*]], %[[C]],
ori.func @kinds_of_loads(%q: !ori.r64, %s: !ori.r) -> (!ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r) target "sm_80" {
  %a = ori.ldg <b32, constant> [%q] : (!ori.r64) -> !ori.r
  ori.stg <b32> [%q], %s : (!ori.r64, !ori.r) -> ()
  %b = ori.ldg <b32, constant> [%q] : (!ori.r64) -> !ori.r
  %c = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %d = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %e = ori.lds <b32> [%s] : (!ori.r) -> !ori.r
  ori.bar <sync, index = 0>
  %f = ori.lds <b32> [%s] : (!ori.r) -> !ori.r
  ori.ret %a, %b, %c, %d, %e, %f : !ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r
}

// Stored values are forwarded to loads, unless the store was partial or guarded.
// CHECK-LABEL: ori.func @stored(
// CHECK-NEXT: ori.stg <b32> [%arg0], %arg1
// CHECK-NEXT: ori.stg <u8> [%arg0 + 8], %arg1
// CHECK-NEXT: %[[BYTE:.*]] = ori.ldg <u8> [%arg0 + 8]
// CHECK-NEXT: ori.stg <b32> [%arg0 + 16], %arg1 if %arg2
// CHECK-NEXT: %[[SOME:.*]] = ori.ldg <b32> [%arg0 + 16]
// CHECK-NEXT: ori.ret %arg1, %[[BYTE]], %[[SOME]]
ori.func @stored(%q: !ori.r64, %v: !ori.r, %p: !ori.p) -> (!ori.r, !ori.r, !ori.r) target "sm_80" {
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  ori.stg <u8> [%q + 8], %v : (!ori.r64, !ori.r) -> ()
  %b = ori.ldg <u8> [%q + 8] : (!ori.r64) -> !ori.r
  ori.stg <b32> [%q + 16], %v if %p : (!ori.r64, !ori.r, !ori.p) -> ()
  %c = ori.ldg <b32> [%q + 16] : (!ori.r64) -> !ori.r
  ori.ret %a, %b, %c : !ori.r, !ori.r, !ori.r
}

// In a loop, an address that changes differs in each iteration, although its SSA value is the same.
// CHECK-LABEL: ori.func @around(
// CHECK: %[[BEFORE:.*]] = ori.lds <b32> [%arg0]
// CHECK: ^{{.*}}(%[[I:.*]]: !ori.r):
// CHECK-NEXT: %[[MOVING:.*]] = ori.lds <b32> [%[[I]]]
// CHECK-NEXT: ori.sts <b32> [%[[I]] + 4], %[[MOVING]]
// CHECK-NEXT: %[[FIXED:.*]] = ori.lds <b32> [%arg0]
// CHECK-NEXT: ori.ldg <b32> [%arg1]
// CHECK-NOT: ori.ldg
ori.func @around(%s: !ori.r, %q: !ori.r64, %p: !ori.p) -> (!ori.r, !ori.r, !ori.r) target "sm_80" {
  %four = ori.imm 4 : !ori.r
  %zero = ori.imm 0 : !ori.r
  %before = ori.lds <b32> [%s] : (!ori.r) -> !ori.r
  ori.bra ^head(%s : !ori.r)
^head(%i: !ori.r):
  %moving = ori.lds <b32> [%i] : (!ori.r) -> !ori.r
  ori.sts <b32> [%i + 4], %moving : (!ori.r, !ori.r) -> ()
  %fixed = ori.lds <b32> [%s] : (!ori.r) -> !ori.r
  %global = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %next = ori.iadd3 %i, %four, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.cond_bra %p, ^head(%next : !ori.r), ^out : !ori.p
^out:
  // Nothing in the loop writes global memory.
  %again = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  ori.ret %before, %fixed, %again : !ori.r, !ori.r, !ori.r
}

// Arguments with equal incoming values.
// CHECK-LABEL: ori.func @arguments(
// CHECK: ^{{.*}}(%[[X:.*]]: !ori.r, %{{.*}}: !ori.r):
// CHECK-NEXT: ori.ret %[[X]], %[[X]]
ori.func @arguments(%a: !ori.r, %b: !ori.r, %p: !ori.p) -> (!ori.r, !ori.r) target "sm_80" {
  ori.cond_bra %p, ^one, ^two : !ori.p
^one:
  ori.bra ^end(%a, %a : !ori.r, !ori.r)
^two:
  ori.bra ^end(%b, %b : !ori.r, !ori.r)
^end(%x: !ori.r, %y: !ori.r):
  ori.ret %x, %y : !ori.r, !ori.r
}

// A function may set knobs itself.
// CHECK-LABEL: ori.func @off(
// CHECK-COUNT-2: ori.popc
ori.func @off(%a: !ori.r) -> (!ori.r, !ori.r) target "sm_80" attributes {ori.knobs = {EnableGvnCse = false}} {
  %x = ori.popc %a : (!ori.r) -> !ori.r
  %y = ori.popc %a : (!ori.r) -> !ori.r
  ori.ret %x, %y : !ori.r, !ori.r
}

// Where an operation came from makes no difference; other attributes do.
// CHECK-LABEL: ori.func @hoisted(
// CHECK-COUNT-2: ori.imad
// CHECK-NOT: ori.imad
// CHECK: ori.ret
ori.func @hoisted(%a: !ori.r, %b: !ori.r, %c: !ori.r) -> (!ori.r, !ori.r, !ori.r) target "sm_80" {
  %x = ori.imad %a, %b, %c {ori.hoisted} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.imad %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %z = ori.imad %a, %b, %c {mine} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %x, %y, %z : !ori.r, !ori.r, !ori.r
}
