// The knobs of ori-loop-unrolling: each changes what becomes of a loop. A remark about a loop precedes the one about
// its function.
//
// RUN: orison-opt --ori-loop-unrolling --remarks=text -o /dev/null %s 2>&1 | FileCheck %s

// A body of 20 stores has 23 instructions, of which 3 (13 %) are saved: copies cost 20. It is 23 of 31 instructions of
// the function. It may grow by (140 + 46 * 13) * (1 + 13 * 23/31 / 20) = 1,094; 59 copies would be 1,180. By 15, and no
// remainder, there are 15 * 20 = 300 of at most 350; larger factors with their remainders exceed 350.
// CHECK: loop-unrolling: unrolled by 15; 60 iterations
// CHECK: ori.func @budget(
ori.func @budget(%q: !ori.r64, %v: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 60 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// (200 + 598) * 1.48 = 1,182.
// CHECK: loop-unrolling: unrolled fully; 60 iterations
// CHECK: ori.func @budget_of_200(
ori.func @budget_of_200(%q: !ori.r64, %v: !ori.r) target "sm_90" attributes {ori.knobs = {UnrollBudget = 200 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 60 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// (140 + 780) * 1.48 = 1,363.
// CHECK: loop-unrolling: unrolled fully; 60 iterations
// CHECK: ori.func @base_of_60(
ori.func @base_of_60(%q: !ori.r64, %v: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollNumExtraInstBase = 60 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 60 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// (140 + 598 + 20 * 13) * 1.48 = 1,479.
// CHECK: loop-unrolling: unrolled fully; 60 iterations
// CHECK: ori.func @single_loop(
ori.func @single_loop(%q: !ori.r64, %v: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollSingleLoopSavedPctFactor = 20 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 60 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// 23 instructions are a small loop.
// CHECK: loop-unrolling: unrolled fully; 60 iterations
// CHECK: ori.func @small_loop(
ori.func @small_loop(%q: !ori.r64, %v: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollNumInstSmallLoop = 23 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 60 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: unrolled by 15; 60 iterations
// CHECK: ori.func @no_small_loop(
ori.func @no_small_loop(%q: !ori.r64, %v: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollNumInstSmallLoop = 22 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 60 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// 49 * 20 = 980.
// CHECK: loop-unrolling: unrolled fully; 50 iterations
// CHECK: ori.func @share(
ori.func @share(%q: !ori.r64, %v: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 50 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// 738 without the growth of a large part; 12 * 20 and a remainder of 2 copies.
// CHECK: loop-unrolling: unrolled by 12; 50 iterations
// CHECK: ori.func @share_of_all(
ori.func @share_of_all(%q: !ori.r64, %v: !ori.r) target "sm_90" attributes {ori.knobs = {UnrollFlexableFullLimit = "1.0"}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 50 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// 738 * (1 + 13 * 23/31 / 100) = 809.
// CHECK: loop-unrolling: unrolled by 12; 50 iterations
// CHECK: ori.func @divisor_of_100(
ori.func @divisor_of_100(%q: !ori.r64, %v: !ori.r) target "sm_90" attributes {ori.knobs = {UnrollInstLimit = "100.0"}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 50 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// 24 instructions, of which 4 (16 %) are saved: (140 + 736) * (1 + 16 * 24/32 / 20) = 1,402, and 79 * 20 = 1,580.
// CHECK: loop-unrolling: unrolled by 16; 80 iterations
// CHECK: ori.func @constant_load(
ori.func @constant_load(%q: !ori.r64, %v: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 80 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %c = ori.ldc <b32, bank = 0> [%i] : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// 6 of 24 (25 %): (140 + 1,150) * 1.94 = 2,499, and 79 * 18 = 1,422.
// CHECK: loop-unrolling: unrolled fully; 80 iterations
// CHECK: ori.func @constant_load_of_3(
ori.func @constant_load_of_3(%q: !ori.r64, %v: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollExtraFoldableLdcWeight = 2 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 80 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %c = ori.ldc <b32, bank = 0> [%i] : (!ori.r) -> !ori.r
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The same numbers with the computation of an address in place of the load.
// CHECK: loop-unrolling: unrolled by 16; 80 iterations
// CHECK: ori.func @address(
ori.func @address(%q: !ori.r64, %v: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 80 : !ori.r
  %four = ori.imm 4 : !ori.r
  %wide = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %w = ori.imad_wide <u32> %i, %four, %wide : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  ori.stg <b32> [%w], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: unrolled fully; 80 iterations
// CHECK: ori.func @address_of_3(
ori.func @address_of_3(%q: !ori.r64, %v: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollFoldableAddrWeight = 2 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 80 : !ori.r
  %four = ori.imm 4 : !ori.r
  %wide = ori.imm 0 : !ori.r64
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %w = ori.imad_wide <u32> %i, %four, %wide : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  ori.stg <b32> [%w], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Less than 22 instructions.
// CHECK: loop-unrolling: unrolled by 4
// CHECK: ori.func @unknown(
ori.func @unknown(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: unrolled by 2
// CHECK: ori.func @unknown_count_of_2(
ori.func @unknown_count_of_2(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {UnrollUnknownCount = 2 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: unrolled by 8
// CHECK: ori.func @factor_of_8(
ori.func @factor_of_8(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollFactor = 8 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Three steps of 2^30 are less than 2^32.
// CHECK: loop-unrolling: unrolled by 4
// CHECK: ori.func @large_step(
ori.func @large_step(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1073741824 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Seven are not.
// CHECK: loop-unrolling: Not unrolled: the steps of the copies wrap (code 24)
// CHECK: ori.func @steps_that_wrap(
ori.func @steps_that_wrap(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollFactor = 8 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1073741824 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: the number of iterations is not constant (code 16)
// CHECK: ori.func @constant_bounds(
ori.func @constant_bounds(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {UnrollVariableBounds = false}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// It has 4 instructions.
// CHECK: loop-unrolling: Not unrolled: the body is too large for an unknown number of iterations (code 24)
// CHECK: ori.func @unknown_of_4(
ori.func @unknown_of_4(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {UnrollUnknownInstLimit = 4 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: unrolled by 4
// CHECK: ori.func @unknown_of_5(
ori.func @unknown_of_5(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {UnrollUnknownInstLimit = 5 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// 43 instructions.
// CHECK: loop-unrolling: Not unrolled: the body is too large for an unknown number of iterations (code 24)
// CHECK: ori.func @large(
ori.func @large(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: unrolled by 4
// CHECK: ori.func @large_of_44(
ori.func @large_of_44(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollNumInstTex = 44 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The header is block 1.
// CHECK: loop-unrolling: unrolled by 4
// CHECK: ori.func @forced(
ori.func @forced(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollOverride = "+1+"}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: unrolled by 4
// CHECK: ori.func @all_forced(
ori.func @all_forced(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollOverride = "+"}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: LoopUnrollOverride excludes it (code 11)
// CHECK: ori.func @excluded(
ori.func @excluded(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollOverride = "-1-"}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: unrolled by 4
// CHECK: ori.func @another_excluded(
ori.func @another_excluded(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollOverride = "-2-"}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: LoopUnrollOverride excludes it (code 11)
// CHECK: ori.func @all_excluded(
ori.func @all_excluded(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollOverride = "-"}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// A block defines one predicate.
// CHECK: loop-unrolling: Not unrolled: it needs too many predicates (code 24)
// CHECK: ori.func @predicates(
ori.func @predicates(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {UnrollPregThreshold = 0 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// 3 of 5 instructions are saved: 60 %.
// CHECK: loop-unrolling: unrolled fully; 3 iterations
// CHECK: ori.func @volume(
ori.func @volume(%q: !ori.r64, %v: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 3 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %t = ori.tex <tex3d, mask = 1, bound = 3, lz> coordinates(%v, %v, %v) : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: it saves too little for its texture reads (code 24)
// CHECK: ori.func @volume_of_61(
ori.func @volume_of_61(%q: !ori.r64, %v: !ori.r) target "sm_90" attributes {ori.knobs = {UnrollTex3DPercentSavedThreshold = 61 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 3 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %t = ori.tex <tex3d, mask = 1, bound = 3, lz> coordinates(%v, %v, %v) : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: unrolled fully; 3 iterations
// CHECK: ori.func @volume_of_60(
ori.func @volume_of_60(%q: !ori.r64, %v: !ori.r) target "sm_90" attributes {ori.knobs = {UnrollTex3DPercentSavedThreshold = 60 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 3 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %t = ori.tex <tex3d, mask = 1, bound = 3, lz> coordinates(%v, %v, %v) : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The pragma is on the only block of the loop.
// CHECK: loop-unrolling: unrolled fully; 3 iterations
// CHECK: ori.func @cold(
ori.func @cold(%q: !ori.r64, %v: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 3 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit {ori.pragmas = ["frequency 0"]} : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: most of it is cold (code 24)
// CHECK: ori.func @cold_of_1(
ori.func @cold_of_1(%q: !ori.r64, %v: !ori.r) target "sm_90" attributes {ori.knobs = {UnrollProfiledColdInstsScale = 1 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 3 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit {ori.pragmas = ["frequency 0"]} : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: unrolled fully; 3 iterations
// CHECK: ori.func @arm(
ori.func @arm(%q: !ori.r64, %p: !ori.p, %r: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %n = ori.imm 3 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.cond_bra %p, ^arm, ^join : !ori.p
^arm:
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  ori.bra ^join
^join:
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: it has several blocks (code 17)
// CHECK: ori.func @one_block(
ori.func @one_block(%q: !ori.r64, %p: !ori.p, %r: !ori.p) target "sm_90" attributes {ori.knobs = {UnrollMultiBlockLoops = false}} {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %n = ori.imm 3 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.cond_bra %p, ^arm, ^join : !ori.p
^arm:
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  ori.bra ^join
^join:
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// An arm within an arm, for an unknown number of iterations.
// CHECK: loop-unrolling: Not unrolled: it has inner branches other than simple arms (code 17)
// CHECK: ori.func @nested_arms(
ori.func @nested_arms(%q: !ori.r64, %p: !ori.p, %r: !ori.p, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.cond_bra %p, ^inner, ^join : !ori.p
^inner:
  ori.cond_bra %r, ^most, ^join : !ori.p
^most:
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  ori.bra ^join
^join:
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: unrolled by 4
// CHECK: ori.func @any_blocks(
ori.func @any_blocks(%q: !ori.r64, %p: !ori.p, %r: !ori.p, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollUnknownMultiBlock = true}} {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.cond_bra %p, ^inner, ^join : !ori.p
^inner:
  ori.cond_bra %r, ^most, ^join : !ori.p
^most:
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  ori.bra ^join
^join:
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: unrolled fully; 3 iterations
// CHECK: loop-unrolling: unrolled fully; 3 iterations
// CHECK: ori.func @nest(
ori.func @nest(%q: !ori.r64) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %three = ori.imm 3 : !ori.r
  ori.bra ^outer(%zero : !ori.r)
^outer(%i: !ori.r):
  %start = ori.imm 0 : !ori.r
  ori.bra ^inner(%start : !ori.r)
^inner(%j: !ori.r):
  ori.stg <b32> [%q], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %j2, %three : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^inner(%j2 : !ori.r), ^latch : !ori.p
^latch:
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %i2, %three : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^outer(%i2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: unrolled fully; 3 iterations
// CHECK: loop-unrolling: Not unrolled: it is around other loops, and has too few texture reads (code 7)
// CHECK: ori.func @innermost(
ori.func @innermost(%q: !ori.r64) target "sm_90" attributes {ori.knobs = {LoopUnrollNonInnermost = false}} {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %three = ori.imm 3 : !ori.r
  ori.bra ^outer(%zero : !ori.r)
^outer(%i: !ori.r):
  %start = ori.imm 0 : !ori.r
  ori.bra ^inner(%start : !ori.r)
^inner(%j: !ori.r):
  ori.stg <b32> [%q], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %again = ori.isetp <lt, s32, and> %j2, %three : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %again, ^inner(%j2 : !ori.r), ^latch : !ori.p
^latch:
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %i2, %three : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^outer(%i2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}
