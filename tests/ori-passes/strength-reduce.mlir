// Products and shifts: phase 21. The peepholes themselves have their own tests.
//
// RUN: orison-opt --ori-strength-reduce %s | FileCheck %s
// RUN: orison-opt --ori-strength-reduce='knobs=StrengthReduceInductions=false' %s | FileCheck --check-prefix=OFF %s
// RUN: orison-opt --ori-strength-reduce='knobs=StrengthReduceMaxInductions=0' --remarks=text %s 2>&1 >/dev/null | FileCheck --check-prefix=REMARK %s

// CHECK-LABEL: ori.func @products(
// CHECK-SAME: %[[A:.*]]: !ori.r, %[[B:.*]]: !ori.r)
// CHECK-NOT: ori.imad
// CHECK: ori.lea <shift = 4> %[[A]], %[[B]]
// CHECK-NOT: ori.imad
// CHECK: ori.ret
ori.func @products(%a: !ori.r, %b: !ori.r) -> (!ori.r, !ori.r) target "sm_80" {
  %sixteen = ori.imm 16 : !ori.r
  %one = ori.imm 1 : !ori.r
  %x = ori.imad %a, %sixteen, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.imad %a, %one, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %x, %y : !ori.r, !ori.r
}

// Two shifts by 32 bits in total.
// CHECK-LABEL: ori.func @rotate(
// CHECK: ori.shf <left, u32, high, wrap> %[[A:.*]], %{{.*}}, %[[A]]
// CHECK-NOT: ori.shf
// CHECK: ori.ret
ori.func @rotate(%a: !ori.r) -> !ori.r target "sm_80" {
  %five = ori.imm 5 : !ori.r
  %rest = ori.imm 27 : !ori.r
  %zero = ori.imm 0 : !ori.r
  %left = ori.shf <left, u32> %a, %five, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %right = ori.shf <right, u32, high> %zero, %rest, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x = ori.iadd3 %left, %right, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %x : !ori.r
}

// A product of an induction variable becomes an induction variable: it starts at the product of the start, and the product of
// the step is added. 12 * 3 is known.
// CHECK-LABEL: ori.func @loop(
// CHECK-SAME: %[[START:.*]]: !ori.r, %[[BASE:.*]]: !ori.r, %[[N:.*]]: !ori.r)
// CHECK-DAG: %[[TWELVE:.*]] = ori.imm 12
// CHECK-DAG: %[[STEP:.*]] = ori.imm 36
// CHECK: %[[FIRST:.*]] = ori.imad %[[START]], %[[TWELVE]], %[[BASE]]
// CHECK: ori.bra ^[[HEAD:.*]](%[[START]], %[[FIRST]] : !ori.r, !ori.r)
// CHECK: ^[[HEAD]](%[[I:.*]]: !ori.r, %[[J:.*]]: !ori.r):
// CHECK-NEXT: ori.sts <b32> [%[[J]]], %[[I]]
// CHECK-NEXT: %[[NEXT:.*]] = ori.iadd3 %[[J]], %[[STEP]]
// CHECK-NEXT: %[[INEXT:.*]] = ori.iadd3 %[[I]]
// CHECK: ori.cond_bra %{{.*}}, ^[[HEAD]](%[[INEXT]], %[[NEXT]] : !ori.r, !ori.r)
// OFF-LABEL: ori.func @loop(
// OFF: ^{{.*}}(%{{.*}}: !ori.r):
// OFF-NEXT: ori.imad
// REMARK: strength-reduce.mlir:[[#@LINE+7]]:{{.*}} remark: [ori-strength-reduce] Missed loop-product: the limit of new induction variables of the loop is reached; a larger StrengthReduceMaxInductions
ori.func @loop(%start: !ori.r, %base: !ori.r, %n: !ori.r) target "sm_80" {
  %three = ori.imm 3 : !ori.r
  %twelve = ori.imm 12 : !ori.r
  %zero = ori.imm 0 : !ori.r
  ori.bra ^head(%start : !ori.r)
^head(%i: !ori.r):
  %address = ori.imad %i, %twelve, %base : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%address], %i : (!ori.r, !ori.r) -> ()
  %next = ori.iadd3 %i, %three, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^out : !ori.p
^out:
  ori.ret
}

// A factor that changes in the loop, and a counter that is not counted by a fixed step.
// CHECK-LABEL: ori.func @no_counter(
// CHECK: ^{{.*}}(%{{.*}}: !ori.r, %{{.*}}: !ori.r):
// CHECK-NEXT: ori.imad
// CHECK-NEXT: ori.imad
// CHECK: ori.cond_bra
ori.func @no_counter(%start: !ori.r, %n: !ori.r, %k: !ori.r) target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  ori.bra ^head(%start, %n : !ori.r, !ori.r)
^head(%i: !ori.r, %j: !ori.r):
  %product = ori.imad %i, %j, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %other = ori.imad %j, %k, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%product], %other : (!ori.r, !ori.r) -> ()
  %next = ori.iadd3 %i, %k, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %jnext = ori.iadd3 %j, %other, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next, %jnext : !ori.r, !ori.r), ^out : !ori.p
^out:
  ori.ret
}

// The step of the counter is loaded in each iteration: the product stays.
// CHECK-LABEL: ori.func @varying_step(
// CHECK: ^[[HEAD:[a-z0-9]*]](%[[I:[a-z0-9]*]]: !ori.r):
// CHECK: ori.imad %[[I]], %
// CHECK: ori.cond_bra %{{.*}}, ^[[HEAD]](%{{[a-z0-9]*}} : !ori.r), ^
ori.func @varying_step(%start: !ori.r, %base: !ori.r) target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %three = ori.imm 3 : !ori.r
  ori.bra ^head(%start : !ori.r)
^head(%i: !ori.r):
  %step = ori.lds <b32> [%base] : (!ori.r) -> !ori.r
  %address = ori.imad %i, %three, %base : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%address], %base : (!ori.r, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %base : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^out : !ori.p
^out:
  ori.ret
}
