// Fusion is in the pipelines, where the knob of a function turns it on.
//
// RUN: orison-opt --ori-loops %s | FileCheck %s
// RUN: orison-opt --ori-optimize=level=2 %s | FileCheck %s

// CHECK-LABEL: ori.func @on(
// CHECK-COUNT-1: ori.cond_bra
// CHECK-NOT: ori.cond_bra
// CHECK-LABEL: ori.func @off(
// CHECK-COUNT-2: ori.cond_bra
ori.func @on(%p: !ori.r64, %n: !ori.r) target "sm_90" attributes {ori.knobs = {PerformLoopFusion = 1 : i64, LoopUnroll = false}} {
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

ori.func @off(%p: !ori.r64, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnroll = false}} {
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
