// Induction variables, trip counts, and distances of accesses in iterations.
//
// RUN: orison-opt --ori-print-analysis=kind=inductions %s 2>&1 >%t.out | FileCheck %s

// From 0 by 3 below 10, tested behind the step: 3, 6, 9 go on, 12 does not, so that the header runs
// four times.
// CHECK: :[[@LINE+3]]:1: remark: loop 0: trip count 4
// CHECK: remark: loop 0: %1.arg0 = 0 + k * (3)
// CHECK: remark: loop 0: runs while 3 + k * (3) lt.s32 10; is left in iteration 3
ori.func @up(%n: !ori.r) target "sm_80" {
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 3 : !ori.r
  %end = ori.imm 10 : !ori.r
  ori.bra ^head(%start : !ori.r)
^head(%i: !ori.r):
  %next = ori.viadd %i, %step : (!ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %end : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Down to zero, as an unsigned number. The bound is on the left side, the condition leaves, and the
// counter is tested before its step: 5, 4, 3, 2, 1, and the last time 0.
// CHECK: :[[@LINE+3]]:1: remark: loop 0: trip count 6
// CHECK: remark: loop 0: %1.arg0 = 5 + k * (-1)
// CHECK: remark: loop 0: runs while 5 + k * (-1) gt.u32 0; is left in iteration 5
ori.func @down(%n: !ori.r) target "sm_80" {
  %start = ori.imm 5 : !ori.r
  %one = ori.imm 1 : !ori.r
  %zero = ori.imm 0 : !ori.r
  ori.bra ^head(%start : !ori.r)
^head(%i: !ori.r):
  %done = ori.isetp <ge, u32, and> %zero, %i : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %done, ^exit, ^body : !ori.p
^body:
  %next = ori.iadd3 %i, neg %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^head(%next : !ori.r)
^exit:
  ori.ret
}

// A counter that wraps around: `le` holds for every signed number, and nothing ends the loop.
// CHECK: :[[@LINE+2]]:1: remark: loop 0: unknown trip count
// CHECK: remark: loop 0: runs while 1 + k * (1) le.s32 2147483647
ori.func @wraps() target "sm_80" {
  %one = ori.imm 1 : !ori.r
  %zero = ori.imm 0 : !ori.r
  %end = ori.imm 2147483647 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <le, s32, and> %next, %end : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// 64 bits, from 2^32 - 8 by 4 to 2^32: the carry is followed.
// CHECK: :[[@LINE+3]]:1: remark: loop 0: trip count 2
// CHECK: remark: loop 0: %1.arg0 = 4294967288 + k * (4)
// CHECK: remark: loop 0: runs while 4294967292 + k * (4) ne.u64 4294967296; is left in iteration 1
ori.func @pair() target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %four = ori.imm 4 : !ori.r
  %start = ori.imm 4294967288 : !ori.r64
  ori.bra ^head(%start : !ori.r64)
^head(%i: !ori.r64):
  %low = ori.extract %i[0] : (!ori.r64) -> !ori.r
  %high = ori.extract %i[1] : (!ori.r64) -> !ori.r
  %a:2 = ori.iadd3 %low, %four, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  %b = ori.iadd3 <extended> %high, %zero, %zero carry(%a#1) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %next = ori.concat %a#0, %b : (!ori.r, !ori.r) -> !ori.r64
  %lows = ori.isetp <ne, u32, and> %a#0, %zero : (!ori.r, !ori.r) -> !ori.p
  %more = ori.isetp <ne, u32, extended, and> %b, %one low(%lows) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r64), ^exit : !ori.p
^exit:
  ori.ret
}

// The words of the pair in two arguments.
// CHECK: :[[@LINE+2]]:1: remark: loop 0: trip count 3
// CHECK: remark: loop 0: %1.arg1:%1.arg0 = 0 + k * (4294967296)
ori.func @words() target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %three = ori.imm 3 : !ori.r
  ori.bra ^head(%zero, %zero : !ori.r, !ori.r)
^head(%low: !ori.r, %high: !ori.r):
  %a:2 = ori.iadd3 %low, %zero, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  %b = ori.iadd3 <extended> %high, %one, %zero carry(%a#1) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %lows = ori.isetp <lt, u32, and> %a#0, %zero : (!ori.r, !ori.r) -> !ori.p
  %more = ori.isetp <lt, s32, extended, and> %b, %three low(%lows) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.cond_bra %more, ^head(%a#0, %b : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Start and bound are values from outside, and so is the step of the other variable.
// CHECK: :[[@LINE+4]]:1: remark: loop 0: symbolic trip count
// CHECK: remark: loop 0: %1.arg0 = c[0][360] + k * (2)
// CHECK: remark: loop 0: %1.arg1 = c[0][360] + k * (%0.arg0)
// CHECK: remark: loop 0: runs while c[0][360] + 2 + k * (2) lt.s32 c[0][364]
ori.func @symbolic(%s: !ori.r) target "sm_80" {
  %n = ori.cbank [0, 364] : !ori.r
  %start = ori.cbank [0, 360] : !ori.r
  %two = ori.imm 2 : !ori.r
  %zero = ori.imm 0 : !ori.r
  ori.bra ^head(%start, %start : !ori.r, !ori.r)
^head(%i: !ori.r, %j: !ori.r):
  %next = ori.iadd3 %i, %two, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %other = ori.iadd3 %j, %s, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next, %other : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Another exit may be taken before the counted one.
// CHECK: :[[@LINE+1]]:1: remark: loop 0: trip count at most 10
ori.func @at_most(%p: !ori.p) target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %ten = ori.imm 10 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.cond_bra %p, ^exit, ^latch : !ori.p
^latch:
  %more = ori.isetp <lt, s32, and> %next, %ten : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: :[[@LINE+1]]:1: remark: loop 0: unknown trip count; convergent; threads may end
ori.func @unknown(%p: !ori.p) target "sm_80" {
  ori.bra ^head
^head:
  ori.bar <sync, index = 0>
  ori.exit_if %p : !ori.p
  ori.cond_bra %p, ^head, ^exit : !ori.p
^exit:
  ori.ret
}

// The pointer steps by four bytes: what is stored four bytes ahead is loaded in the next iteration.
// CHECK: :[[@LINE+13]]:3: remark: loop 0: distance from 'ori.stg': 0 to 0
// CHECK: :[[@LINE+13]]:{{[0-9]+}}: remark: loop 0: distance from 'ori.stg': 1 to 1
// CHECK: :[[@LINE+13]]:3: remark: loop 0: distance from 'ori.stg': never
// CHECK: :[[@LINE+12]]:3: remark: loop 0: distance from 'ori.ldg': never
// CHECK: :[[@LINE+11]]:3: remark: loop 0: distance from 'ori.sts': 0 to 0
ori.func @distances(%q: !ori.r64, %x: !ori.r, %n: !ori.r, %s: !ori.r) target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %four = ori.imm 4 : !ori.r
  ori.bra ^head(%zero, %q : !ori.r, !ori.r64)
^head(%i: !ori.r, %p: !ori.r64):
  %a = ori.imad %i, %four, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %ahead = ori.imad_wide <u32> %one, %four, %p : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  ori.stg <b32> [%ahead], %x : (!ori.r64, !ori.r) -> ()
  %v = ori.ldg <b32> [%p] : (!ori.r64) -> !ori.r
  ori.sts <b32> [%a], %v : (!ori.r, !ori.r) -> ()
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next, %ahead : !ori.r, !ori.r64), ^exit : !ori.p
^exit:
  ori.ret
}
