// The knobs of ori-loop-fusion: each changes whether loops are fused.
//
// RUN: orison-opt --ori-loop-fusion --mlir-pass-statistics -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: orison-opt --ori-loop-fusion=knobs=PerformLoopFusion=1 --ori-perform-live-dead %s | FileCheck %s
// RUN: orison-opt --ori-loop-fusion=knobs=PerformLoopFusion=1,PerformLoopFusionBudget=5 --remarks=text %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: orison-opt --ori-loop-fusion=knobs=PerformLoopFusion=1,LoopMakeSingleEntry=false --mlir-pass-statistics -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=OFF

// By default, and where loops are not made canonical, nothing is fused.
// OFF: (S) 0 fused
// OFF: (S) 0 refused

// The fused loop has 5 instructions: two stores, the counter, the comparison and the branch.
// CHECK-LABEL: ori.func @five(
// CHECK-COUNT-1: ori.cond_bra
// CHECK-NOT: ori.cond_bra
// BUDGET: loop-fusion: fused with the loop before it; 5 instructions
ori.func @five(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^second(%zero : !ori.r) : !ori.p
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// One more.
// CHECK-LABEL: ori.func @six(
// CHECK-COUNT-1: ori.cond_bra
// CHECK-NOT: ori.cond_bra
// BUDGET: loop-fusion: not fused: the fused loop would have too many instructions; a larger PerformLoopFusionBudget
ori.func @six(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^second(%zero : !ori.r) : !ori.p
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%p + 8], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}
