// The later passes: other budgets and weights, and the knob HoistLate.
//
// RUN: orison-opt --ori-hoist-invariants="pass-id=1" %s | FileCheck --check-prefixes=CHECK,LATE %s
// RUN: orison-opt --ori-hoist-invariants="pass-id=1 knobs=HoistLate=0" %s | FileCheck --check-prefixes=CHECK,ALL %s
// RUN: orison-opt --ori-hoist-invariants="pass-id=1 knobs=HoistLate=3" %s | FileCheck --check-prefixes=CHECK,NONE %s
// RUN: orison-opt --ori-hoist-invariants="pass-id=2" %s | FileCheck --check-prefixes=CHECK,NONE %s
// RUN: orison-opt --ori-hoist-invariants="pass-id=2 knobs=HoistLate=0" %s | FileCheck --check-prefixes=CHECK,ALL %s
// RUN: orison-opt --ori-hoist-invariants="pass-id=3" %s | FileCheck --check-prefixes=CHECK,NONE %s
// RUN: orison-opt --ori-hoist-invariants="pass-id=3 knobs=HoistLate=0" %s | FileCheck --check-prefixes=CHECK,LAST %s
// RUN: not orison-opt --ori-hoist-invariants="pass-id=4" %s 2>&1 | FileCheck --check-prefix=PASS %s
// RUN: not orison-opt --ori-hoist-invariants="rules=no" %s 2>&1 | FileCheck --check-prefix=RULES %s
// PASS: error: {{.*}}option 'pass-id': expected 0 to 3, found 4
// RULES: error: pass 'ori-hoist-invariants': option 'rules': no such value 'no'; allowed are ptxas|page

// Instructions count for 30, and the budget is 300: 300 / (10 * 30) = 1.
// CHECK-LABEL: ori.func @ten(
// LATE: ori.hoisted
// ALL: ori.hoisted
// NONE-NOT: ori.hoisted
// LAST: ori.hoisted
ori.func @ten(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f458 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f459 = ori.iadd3 %f458, %f458, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f460 = ori.iadd3 %f459, %f459, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f461 = ori.iadd3 %f460, %f460, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f462 = ori.iadd3 %f461, %f461, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The last pass has 100 times the budget.
// CHECK-LABEL: ori.func @eleven(
// LATE-NOT: ori.hoisted
// ALL-NOT: ori.hoisted
// NONE-NOT: ori.hoisted
// LAST: ori.hoisted
ori.func @eleven(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f463 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f464 = ori.iadd3 %f463, %f463, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f465 = ori.iadd3 %f464, %f464, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f466 = ori.iadd3 %f465, %f465, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f467 = ori.iadd3 %f466, %f466, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f468 = ori.iadd3 %f467, %f467, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The header counts for 5 * 30, the others for 6 * 30 / 3: 10 / 210 < 1 for a loop around others.
// CHECK-LABEL: ori.func @nest(
// LATE-NOT: ori.hoisted
// ALL-NOT: ori.hoisted
// NONE-NOT: ori.hoisted
// LAST: ori.hoisted
ori.func @nest(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.imad %a, %b, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f469 = ori.iadd3 %i, %i, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %f470 = ori.iadd3 %f469, %f469, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%x], %i : (!ori.r, !ori.r) -> ()
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

// A read of global memory counts for 150 in the gain and for 1 in the size: 150 * 10 / (5 * (1 + 2 * 30 + 6 * 30 / 3)) = 2.5.
// CHECK-LABEL: ori.func @nest_read(
// LATE-NOT: ori.hoisted
// ALL: ori.hoisted
// NONE-NOT: ori.hoisted
// LAST: ori.hoisted
ori.func @nest_read(%q: !ori.r64, %n: !ori.r, %a: !ori.r, %b: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %none = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %x = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  ori.sts <b32> [%x], %i : (!ori.r, !ori.r) -> ()
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

// A block behind a branch has 100: 100 / (2 * 30 + 6 * 30 / 3) < 1.
// CHECK-LABEL: ori.func @arm(
// LATE-NOT: ori.hoisted
// ALL-NOT: ori.hoisted
// NONE-NOT: ori.hoisted
// LAST: ori.hoisted
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
  ori.sts <b32> [%x], %i : (!ori.r, !ori.r) -> ()
  ori.bra ^join
^join:
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
