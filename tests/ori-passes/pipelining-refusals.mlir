// Loops that ori-pipelining leaves alone, with the reasons.
//
// RUN: orison-opt --ori-pipelining --remarks=text %s 2>%t.remarks | orison-opt -o %t.after
// RUN: FileCheck %s <%t.remarks
// RUN: orison-opt -o %t.before %s
// RUN: diff %t.before %t.after

// The bound is no constant and no parameter.
// CHECK: pipelining: Not pipelined: threads may leave it after different numbers of iterations
ori.func @divergent(%q: !ori.r64, %x: !ori.r, %m: !ori.r) -> !ori.r target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %m : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: pipelining: Not pipelined: a pragma forbids unrolling
ori.func @nounroll(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit {ori.pragmas = ["nounroll"]} : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: pipelining: Not pipelined: a pragma calls it cold
ori.func @cold(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit {ori.pragmas = ["frequency 0"]} : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: pipelining: Not pipelined: it is the result of pipelining
ori.func @again(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit {ori.pipelined} : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: pipelining: Not pipelined: 'ori.bar' orders memory or control
ori.func @barrier(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  ori.bar <sync, index = 0>
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: pipelining: Not pipelined: 'ori.membar' orders memory or control
ori.func @membar(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  ori.membar <all, gpu>
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: pipelining: Not pipelined: 'ori.ldg' orders memory or control
ori.func @strong(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: pipelining: Not pipelined: 'ori.call' orders memory or control
ori.func @call(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  ori.call @other() : () -> ()
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// A sum is as long as its recurrence.
// CHECK: pipelining: Not pipelined: iterations do not overlap at an initiation interval of 6 cycles
ori.func @short(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %t = ori.ffma %x, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: pipelining: Not pipelined: it has 2 iterations
ori.func @few(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %n = ori.imm 2 : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// A loaded sum ends the loop.
// CHECK: pipelining: Not pipelined: no counter is compared
ori.func @uncounted(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %t, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: pipelining: Not pipelined: the value before the step is compared
ori.func @before(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %n = ori.imm 20 : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.ffma %v, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %i, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK: pipelining: Not pipelined: it is not a single block
ori.func @blocks(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%zero, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  ori.cond_bra %p, ^more(%v : !ori.r), ^rest(%v : !ori.r) : !ori.p
^more(%w: !ori.r):
  %u = ori.fmul %w, %w : (!ori.r, !ori.r) -> !ori.r
  ori.bra ^rest(%u : !ori.r)
^rest(%y: !ori.r):
  %t = ori.fadd %s, %y : (!ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %goes = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %goes, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

ori.func @other() target "sm_80"
