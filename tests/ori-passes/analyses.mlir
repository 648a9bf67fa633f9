// Results of analyses. A block is identified by its index, a value by block and position.
//
// RUN: orison-opt --ori-print-analysis='kind=flow,dominators,loops' %s -o /dev/null 2>&1 | FileCheck --check-prefix=FLOW %s
// RUN: orison-opt --ori-print-analysis='kind=liveness,def-use' %s -o /dev/null 2>&1 | FileCheck --check-prefix=LIVE %s
// RUN: orison-opt --ori-print-analysis='kind=memory' %s -o /dev/null 2>&1 | FileCheck --check-prefix=MEMORY --implicit-check-not=':3: remark: sees' %s
// RUN: orison-opt --ori-print-analysis='kind=divergence' %s -o /dev/null 2>&1 | FileCheck --check-prefix=DIVERGENCE %s
// RUN: orison-opt --ori-print-analysis='kind=pressure' %s -o /dev/null 2>&1 | FileCheck --check-prefix=PRESSURE %s

// A loop, with a branch in it and an exit in the middle.
// FLOW: remark: block 0: place 0; successors [1]; predecessors []
// FLOW: remark: block 1: place 1; successors [2 3]; predecessors [0 3]
// FLOW: remark: block 2: place {{[0-9]}}; successors [3]; predecessors [1]
// FLOW: remark: block 3: place {{[0-9]}}; successors [1 4]; predecessors [1 2]
// FLOW: remark: block 5: unreachable; successors []; predecessors []
// FLOW: remark: block 0: dominator none; post-dominator 1
// FLOW: remark: block 1: dominator 0; post-dominator 3
// FLOW: remark: block 2: dominator 1; post-dominator 3
// FLOW: remark: block 3: dominator 1; post-dominator 4
// FLOW: remark: loop 0: header 1; latches [3]; blocks [1 2 3]; exits [3->4]; depth 1; parent none; preheader 0

// The bound is live through the loop, the thread index only up to its first block.
// LIVE: remark: block 1: live in [%0.1 %0.2]; live out [%0.1 %0.2 %1.arg0 %1.0]
// LIVE: remark: block 3: live in [%0.1 %0.2 %1.arg0]; live out [%0.1 %0.2 %3.0]
// LIVE: remark: block 4: live in [%3.0]; live out []
// LIVE: remark: %0.0: lives from 0 to 4
// LIVE: remark: %1.arg0: reached by [%0.0 %3.0]; 5 uses
// LIVE: remark: %3.arg0: reached by [%0.0 %3.0 %2.0]; 0 uses

// Threads have other counters, since they start at their numbers; the bound is the same for all. They
// leave the loop in different iterations. Block 3 joins the threads that diverged in block 1.
// DIVERGENCE: remark: %0.0: varying
// DIVERGENCE: remark: %0.1: uniform
// DIVERGENCE: remark: %1.arg0: varying
// DIVERGENCE: remark: branch: divergent
// DIVERGENCE: remark: block 3: divergent threads join
// DIVERGENCE: remark: branch: divergent
// DIVERGENCE: remark: loop 0: divergent exit

// PRESSURE: remark: registers: R={{[0-9]+}} UR=0 P=1 UP=0 B=0
ori.func kernel @loop() target "sm_80" {
  %i = ori.s2r <register = "SR_TID.X"> : !ori.r
  %n = ori.ldc <b32> [352] : !ori.r
  %one = ori.imm 1 : !ori.r
  %zero = ori.imm 0 : !ori.r
  ori.bra ^head(%i : !ori.r)
^head(%k: !ori.r):
  %odd = ori.lop3 <lut = 192> %k, %one, %one : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %is = ori.isetp <ne, s32, and> %odd, %one : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %is, ^then, ^latch(%k : !ori.r) : !ori.p
^then:
  %twice = ori.iadd3 %k, %k, %odd : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^latch(%twice : !ori.r)
^latch(%x: !ori.r):
  %next = ori.iadd3 %k, %one, %one : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^out : !ori.p
^out:
  ori.sts <b32> [%next], %next : (!ori.r, !ori.r) -> ()
  ori.exit
^unreachable:
  ori.exit
}

// Numbers of CTAs are the same for all threads, and so is what depends on them only; so is a load of
// what all threads share from one address, an answer of a vote, and a shuffle from one lane. What a
// thread has of its own is not, nor is the result of an atomic operation.
// DIVERGENCE: remark: %0.0: uniform
// DIVERGENCE: remark: %0.1: varying
// DIVERGENCE: remark: %0.2: uniform
// DIVERGENCE: remark: %0.3: uniform
// DIVERGENCE: remark: %0.4: varying
// DIVERGENCE: remark: %0.5: varying
// DIVERGENCE: remark: %0.6: varying
// DIVERGENCE: remark: %0.7: uniform
// DIVERGENCE: remark: %0.9: uniform
// DIVERGENCE: remark: %0.10: varying
// DIVERGENCE: remark: %0.11: uniform
// DIVERGENCE: remark: %0.12: varying
// DIVERGENCE: remark: branch: uniform
// DIVERGENCE: remark: %1.arg0: uniform

// A register, a pair of them, a predicate: while the pair is loaded, its address lives no more.
// PRESSURE: remark: registers: R={{[0-9]+}} UR=0 P={{[0-9]+}} UP=0 B=0
ori.func kernel @sources() target "sm_80" {
  %cta = ori.s2r <register = "SR_CTAID.X"> : !ori.r
  %lane = ori.s2r <register = "SR_LANEID"> : !ori.r
  %shared = ori.lds <b32> [%cta] : (!ori.r) -> !ori.r
  %param = ori.cbank[0, 352] : !ori.r64
  %by_lane = ori.lds <b32> [%lane] : (!ori.r) -> !ori.r
  %own = ori.ldl <b32> [%cta] : (!ori.r) -> !ori.r
  %old = ori.atomg <add, u32> [%param], %cta : (!ori.r64, !ori.r) -> !ori.r
  %bounds = ori.imm 31 : !ori.r
  %is = ori.isetp <ne, s32, and> %lane, %cta : (!ori.r, !ori.r) -> !ori.p
  %ballot = ori.vote <any> %is : (!ori.p) -> !ori.r
  %neighbour = ori.shfl <bfly> %lane, %cta, %bounds : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %first = ori.shfl <idx> %lane, %cta, %bounds : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %guarded = ori.iadd3 %cta, %cta, %cta if %is else %bounds : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.r) -> !ori.r
  %all = ori.isetp <ne, s32, and> %ballot, %cta : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %all, ^next(%cta : !ori.r), ^next(%first : !ori.r) : !ori.p
^next(%u: !ori.r):
  ori.exit
}

// Memory accesses: offsets from one base, symbols, spaces; a 64-bit address with a constant added.
// MEMORY: [[#@LINE+16]]:8: remark: reads after 'ori.stg' at position 1: same: same address and size
// MEMORY: [[#@LINE+15]]:8: remark: sees [ori.stg@0.1]
// MEMORY-NOT: [[#@LINE+15]]:8: remark: reads
// MEMORY: [[#@LINE+14]]:8: remark: sees [entry]
// MEMORY: [[#@LINE+14]]:3: remark: overwrites memory read by 'ori.ldg' at position 3: may: the addresses have different base values
// MEMORY: [[#@LINE+14]]:8: remark: reads after 'ori.stg' at position 1: must: same base, overlapping byte ranges
// MEMORY: [[#@LINE+13]]:8: remark: reads after 'ori.stg' at position 4: may
// MEMORY: [[#@LINE+12]]:8: remark: sees [ori.stg@0.4 ori.stg@0.1 entry]
// MEMORY: [[#@LINE+18]]:8: remark: reads after 'ori.sts' at position 8: same
// MEMORY: [[#@LINE+17]]:8: remark: sees [ori.sts@0.8]
// MEMORY: [[#@LINE+23]]:8: remark: reads after 'ori.stg' at position 1: same: same address and size
ori.memory shared @a, size 64, align 16
ori.memory shared @b, size 64, align 16
ori.func @memory(%q: !ori.r64, %other: !ori.r64, %v: !ori.r) -> (!ori.r, !ori.r, !ori.r, !ori.r, !ori.r) target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  ori.stg <b32> [%q + 16], %v : (!ori.r64, !ori.r) -> ()
  %x = ori.ldg <b32> [%q + 16] : (!ori.r64) -> !ori.r
  %y = ori.ldg <b32> [%q + 20] : (!ori.r64) -> !ori.r
  ori.stg <b32> [%other], %v : (!ori.r64, !ori.r) -> ()
  %z = ori.ldg <u16> [%q + 18] : (!ori.r64) -> !ori.r
  %a = ori.address_of @a : !ori.r
  %b = ori.address_of @b : !ori.r
  ori.sts <b32> [%a + 8], %v : (!ori.r, !ori.r) -> ()
  ori.sts <b32> [%b + 8], %v : (!ori.r, !ori.r) -> ()
  %four = ori.imm 4 : !ori.r
  %moved = ori.iadd3 %a, %four, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %s = ori.lds <b32> [%moved + 4] : (!ori.r) -> !ori.r
  %low = ori.extract %q[0] : (!ori.r64) -> !ori.r
  %high = ori.extract %q[1] : (!ori.r64) -> !ori.r
  %eight = ori.imm 8 : !ori.r
  %low_sum:2 = ori.iadd3 %low, %eight, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  %high_sum = ori.iadd3 <extended> %high, %zero, %zero carry(%low_sum#1) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %sum = ori.concat %low_sum#0, %high_sum : (!ori.r, !ori.r) -> !ori.r64
  %t = ori.ldg <b32> [%sum + 8] : (!ori.r64) -> !ori.r
  ori.ret %x, %y, %z, %s, %t : !ori.r, !ori.r, !ori.r, !ori.r, !ori.r
}

// An immediate fills an operand slot: only `%a`, then the sum, is in a register.
// PRESSURE: analyses.mlir:[[#@LINE+1]]:1: remark: registers: R=1 UR=0 P=0 UP=0 B=0
ori.func @immediates(%a: !ori.r) -> !ori.r target "sm_80" {
  %one = ori.imm 1 : !ori.r
  %two = ori.imm 2 : !ori.r
  %x = ori.iadd3 %a, %one, %two : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %x : !ori.r
}
