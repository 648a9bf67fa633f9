// RUN: orison-opt %s --split-input-file --ori-schedule-instructions="knobs=SchedCrossBlock=2" | FileCheck %s
// RUN: orison-opt %s --split-input-file --ori-schedule-instructions="phases=reduce-reg knobs=SchedCrossBlock=2,SchedReduceIncLimitHigh=12,SchedMaxRLiveOKslackColdBlocks=0" | FileCheck %s --check-prefix=REDUCE
// RUN: orison-opt %s --split-input-file --ori-schedule-instructions="strategy=pressure knobs=SchedCrossBlock=2" | FileCheck %s --check-prefix=KEPT
// RUN: orison-opt %s --split-input-file --ori-schedule-instructions | FileCheck %s --check-prefix=HOIST
// RUN: orison-opt %s --split-input-file --ori-schedule-instructions --mlir-pass-statistics -o %t 2>&1 | FileCheck %s --check-prefix=STATS
// RUN: orison-opt %s --split-input-file --ori-schedule-instructions --remarks=text --mlir-print-op-on-diagnostic=false -o %t 2>&1 | FileCheck %s --check-prefix=REMARK

// One load moves, in @hammock.
// STATS: (S) 0 num-hoisted
// STATS: (S) 0 num-hoisted
// STATS: (S) 0 num-hoisted
// STATS: (S) 1 num-hoisted
// STATS: (S) 0 num-hoisted

// Loads that do not depend on each other are all started before the first sum waits.
// CHECK-LABEL: @latency
// CHECK-COUNT-3: ori.ldg
// CHECK-NOT: ori.ldg
// CHECK-COUNT-3: ori.fadd
// The strategy that counts registers finds nothing faster.
// KEPT-LABEL: @latency
// KEPT: ori.ldg
// KEPT-NEXT: ori.fadd
// KEPT-NEXT: ori.ldg
// KEPT-NEXT: ori.fadd
// KEPT-NEXT: ori.ldg
// KEPT-NEXT: ori.fadd
// REMARK: 'latency': {{[0-9]+}} estimated cycles instead of {{[0-9]+}}, 4 live registers instead of 4, budget 215; 0 blocks have a new order
// REMARK: phase 'ilp' of 'latency': {{[0-9]+}} estimated cycles instead of {{[0-9]+}}, 5 live registers instead of 4, budget 29; 1 blocks have a new order
// REMARK: block 0 of 'latency': strategy '{{[a-z-]+}}', {{[0-9]+}} estimated cycles instead of {{[0-9]+}}
ori.func @latency(%q: !ori.r64, %x: !ori.r) -> !ori.r target "sm_90" {
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %s = ori.fadd %a, %x : (!ori.r, !ori.r) -> !ori.r
  %b = ori.ldg <b32> [%q + 4] : (!ori.r64) -> !ori.r
  %t = ori.fadd %b, %s : (!ori.r, !ori.r) -> !ori.r
  %c = ori.ldg <b32> [%q + 8] : (!ori.r64) -> !ori.r
  %u = ori.fadd %c, %t : (!ori.r, !ori.r) -> !ori.r
  ori.ret %u : !ori.r
}

// -----

// Fourteen values are live: with twelve registers, of which three are kept back, each is loaded where it is used.
// REDUCE-LABEL: @pressure
// REDUCE: ori.ldg
// REDUCE-NEXT: ori.fadd
// REDUCE-NEXT: ori.ldg
// REDUCE-NEXT: ori.fadd
// REDUCE-NEXT: ori.ldg
ori.func @pressure(%q: !ori.r64, %x: !ori.r) -> !ori.r target "sm_90" {
  %a0 = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %a1 = ori.ldg <b32> [%q + 4] : (!ori.r64) -> !ori.r
  %a2 = ori.ldg <b32> [%q + 8] : (!ori.r64) -> !ori.r
  %a3 = ori.ldg <b32> [%q + 12] : (!ori.r64) -> !ori.r
  %a4 = ori.ldg <b32> [%q + 16] : (!ori.r64) -> !ori.r
  %a5 = ori.ldg <b32> [%q + 20] : (!ori.r64) -> !ori.r
  %a6 = ori.ldg <b32> [%q + 24] : (!ori.r64) -> !ori.r
  %a7 = ori.ldg <b32> [%q + 28] : (!ori.r64) -> !ori.r
  %a8 = ori.ldg <b32> [%q + 32] : (!ori.r64) -> !ori.r
  %a9 = ori.ldg <b32> [%q + 36] : (!ori.r64) -> !ori.r
  %s0 = ori.fadd %a0, %x : (!ori.r, !ori.r) -> !ori.r
  %s1 = ori.fadd %a1, %s0 : (!ori.r, !ori.r) -> !ori.r
  %s2 = ori.fadd %a2, %s1 : (!ori.r, !ori.r) -> !ori.r
  %s3 = ori.fadd %a3, %s2 : (!ori.r, !ori.r) -> !ori.r
  %s4 = ori.fadd %a4, %s3 : (!ori.r, !ori.r) -> !ori.r
  %s5 = ori.fadd %a5, %s4 : (!ori.r, !ori.r) -> !ori.r
  %s6 = ori.fadd %a6, %s5 : (!ori.r, !ori.r) -> !ori.r
  %s7 = ori.fadd %a7, %s6 : (!ori.r, !ori.r) -> !ori.r
  %s8 = ori.fadd %a8, %s7 : (!ori.r, !ori.r) -> !ori.r
  %s9 = ori.fadd %a9, %s8 : (!ori.r, !ori.r) -> !ori.r
  ori.ret %s9 : !ori.r
}

// -----

// What may not change its order: a load and a store that may overlap, a clock and memory, a barrier and memory, and
// an exit and a load that could fault in threads that have ended.
// CHECK-LABEL: @kept
// CHECK: ori.stg
// CHECK-NEXT: ori.ldg
// CHECK-NEXT: ori.cs2r
// CHECK: ori.ldg
// CHECK: ori.exit_if
// CHECK: ori.ldg
// CHECK: ori.bar
// CHECK: ori.ldg
ori.func @kept(%q: !ori.r64, %r: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_90" {
  ori.stg <b32> [%r], %x : (!ori.r64, !ori.r) -> ()
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %clock = ori.cs2r {register = "SR_CLOCKLO"} : !ori.r
  %b = ori.ldg <b32> [%q + 4] : (!ori.r64) -> !ori.r
  %s = ori.iadd3 %a, %b, %clock : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.exit_if %p : !ori.p
  %c = ori.ldg <b32> [%q + 8] : (!ori.r64) -> !ori.r
  ori.bar <sync, index = 0>
  %d = ori.ldg <b32> [%q + 12] : (!ori.r64) -> !ori.r
  %t = ori.iadd3 %c, %d, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %t : !ori.r
}

// -----

// The load, with the sum that computes its address, moves in front of the branch over ^then.
// HOIST-LABEL: @hammock
// HOIST: ori.imad_wide
// HOIST-NEXT: ori.ldg
// HOIST-NEXT: ori.cond_bra
// HOIST: pred{{s?}}: ^bb0, ^bb1
// HOIST-NEXT: ori.fadd
// REMARK: :[[#@LINE+13]]:8: remark: [ori-schedule-instructions] Passed cross-block: moved over the blocks in front of its block
// With the knob it stays.
// CHECK-LABEL: @hammock
// CHECK: pred{{s?}}: ^bb0, ^bb1
// CHECK-NEXT: ori.imad_wide
// CHECK-NEXT: ori.ldg
ori.func @hammock(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_90" {
  ori.cond_bra %p, ^then, ^join(%x : !ori.r) : !ori.p
^then:
  %n = ori.fadd %x, %x : (!ori.r, !ori.r) -> !ori.r
  ori.bra ^join(%n : !ori.r)
^join(%y: !ori.r):
  %a = ori.imad_wide <u32> %x, %x, %q : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %l = ori.ldg <b32> [%a] : (!ori.r64) -> !ori.r
  %s = ori.fadd %l, %y : (!ori.r, !ori.r) -> !ori.r
  ori.ret %s : !ori.r
}

// -----

// A load behind a store, and one whose address the blocks before do not have, stay; so does one behind a block with a
// store.
// HOIST-LABEL: @stays
// HOIST: pred{{s?}}: ^bb0, ^bb1
// HOIST-NEXT: ori.ldg
// HOIST-NEXT: ori.stg
// HOIST: ^bb4:
// HOIST-NEXT: ori.ldg
ori.func @stays(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_90" {
  ori.cond_bra %p, ^then, ^join(%q : !ori.r64) : !ori.p
^then:
  %n = ori.imad_wide <u32> %x, %x, %q : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  ori.bra ^join(%n : !ori.r64)
^join(%y: !ori.r64):
  %l = ori.ldg <b32> [%y] : (!ori.r64) -> !ori.r
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  %m = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %s = ori.fadd %l, %m : (!ori.r, !ori.r) -> !ori.r
  ori.cond_bra %p, ^store, ^end : !ori.p
^store:
  ori.stg <b32> [%q + 4], %x : (!ori.r64, !ori.r) -> ()
  ori.bra ^end
^end:
  %z = ori.ldg <b32> [%q + 8] : (!ori.r64) -> !ori.r
  %t = ori.fadd %z, %s : (!ori.r, !ori.r) -> !ori.r
  ori.ret %t : !ori.r
}

// -----

// A load at the start of a loop stays there: it is executed again behind the store of the loop.
// HOIST-LABEL: @repeated
// HOIST: ori.bra ^bb1
// HOIST-NEXT: ^bb1
// HOIST: ori.ldg
// HOIST: ori.stg
ori.func @repeated(%q: !ori.r64, %x: !ori.r) -> !ori.r target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  ori.bra ^loop
^loop:
  %l = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %s = ori.iadd3 %l, %x, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %c = ori.isetp <lt, s32, and> %l, %x : (!ori.r, !ori.r) -> !ori.p
  ori.stg <b32> [%q], %s : (!ori.r64, !ori.r) -> ()
  ori.cond_bra %c, ^loop, ^exit : !ori.p
^exit:
  ori.ret %s : !ori.r
}
