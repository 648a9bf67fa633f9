// The decisions of ori-loop-unrolling as the page lists them.
//
// RUN: orison-opt --ori-loop-unrolling=rules=page --remarks=text -o /dev/null %s 2>&1 | FileCheck %s
// RUN: not orison-opt --ori-loop-unrolling=rules=none %s 2>&1 | FileCheck --check-prefix=RULES %s

// RULES: error: pass 'ori-loop-unrolling': option 'rules': no such value 'none'; allowed are ptxas|page

// 4 instructions: always.
// CHECK: loop-unrolling: unrolled fully; 8 iterations
// CHECK: ori.func @small(
ori.func @small(%q: !ori.r64, %v: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 8 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: the budget allows no factor (code 12)
// CHECK: ori.func @small_of_3(
ori.func @small_of_3(%q: !ori.r64, %v: !ori.r) target "sm_90" attributes {ori.knobs = {UnrollSmallLoopLimit = 3 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 8 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// More than two iterations.
// CHECK: loop-unrolling: Not unrolled: the budget allows no factor (code 12)
// CHECK: ori.func @three(
ori.func @three(%q: !ori.r64, %v: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 3 : !ori.r
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
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
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

// 200 / 2 is not more than 150, but 4 / 2 copies are both iterations.
// CHECK: loop-unrolling: unrolled fully; 2 iterations
// CHECK: ori.func @two(
ori.func @two(%q: !ori.r64, %v: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 2 : !ori.r
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
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
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

// CHECK: loop-unrolling: Not unrolled: the budget allows no factor (code 12)
// CHECK: ori.func @two_of_1(
ori.func @two_of_1(%q: !ori.r64, %v: !ori.r) target "sm_90" attributes {ori.knobs = {UnrollSmallLoopLimit = 1 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 2 : !ori.r
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
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
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

// 200 / 2 is more than 50.
// CHECK: loop-unrolling: unrolled fully; 2 iterations
// CHECK: ori.func @two_small(
ori.func @two_small(%q: !ori.r64, %v: !ori.r) target "sm_90" attributes {ori.knobs = {UnrollSmallLoopLimit = 1 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 2 : !ori.r
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
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
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

// 80 / 2 is not.
// CHECK: loop-unrolling: Not unrolled: the budget allows no factor (code 12)
// CHECK: ori.func @two_of_80(
ori.func @two_of_80(%q: !ori.r64, %v: !ori.r) target "sm_90" attributes {ori.knobs = {UnrollSmallLoopLimit = 1 : i64, UnrollFullInstLimit = 80 : i64}} {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 2 : !ori.r
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
  ori.stg <b32> [%q], %v : (!ori.r64, !ori.r) -> ()
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

// 13 instructions, of which the counter is saved: 12, less than 22.
// CHECK: loop-unrolling: unrolled by 4
// CHECK: ori.func @unknown(
ori.func @unknown(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" {
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
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// 32 instructions, not less than 22.
// CHECK: loop-unrolling: unrolled by 2
// CHECK: ori.func @larger(
ori.func @larger(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" {
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
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// 4 * 32 instructions may be 140 + 2 * 3 + 46.
// CHECK: loop-unrolling: unrolled by 4
// CHECK: ori.func @larger_of_33(
ori.func @larger_of_33(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollNumInstTex = 33 : i64}} {
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
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// 4 * 47 = 188 of 140 + 2 * 2 + 46 = 190.
// CHECK: loop-unrolling: unrolled by 4
// CHECK: ori.func @growth(
ori.func @growth(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollNumInstTex = 100 : i64}} {
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

// 188 of 144.
// CHECK: loop-unrolling: unrolled by 2
// CHECK: ori.func @growth_of_0(
ori.func @growth_of_0(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollNumInstTex = 100 : i64, LoopUnrollNumExtraInstBase = 0 : i64}} {
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

// 48 of 56 instructions are less than all: 188 of 144.
// CHECK: loop-unrolling: unrolled by 2
// CHECK: ori.func @part(
ori.func @part(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollNumInstTex = 100 : i64, LoopUnrollLargePartOfShaderPct = "1.0"}} {
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

// 4 * 50 = 200 of 140 + 2 * 1 + 46 = 188.
// CHECK: loop-unrolling: unrolled by 2
// CHECK: ori.func @saving(
ori.func @saving(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollNumInstTex = 100 : i64}} {
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

// 200 of 140 + 20 * 1 + 46 = 206.
// CHECK: loop-unrolling: unrolled by 4
// CHECK: ori.func @saving_of_20(
ori.func @saving_of_20(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollNumInstTex = 100 : i64, UnrollExtraInstPerPercentSaving = 20 : i64}} {
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

// 200 of 152 + 2 + 46.
// CHECK: loop-unrolling: unrolled by 4
// CHECK: ori.func @budget_of_152(
ori.func @budget_of_152(%q: !ori.r64, %v: !ori.r, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollNumInstTex = 100 : i64, UnrollBudget = 152 : i64}} {
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

// A small body with a texture read: 5 of at most 49 instructions.
// CHECK: loop-unrolling: unrolled by 4
// CHECK: ori.func @texture(
ori.func @texture(%q: !ori.r64, %v: !ori.r, %p: !ori.p, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %t = ori.tld <tex2d, mask = 1, bound = 3, lz> coordinates(%v, %v) : (!ori.r, !ori.r) -> !ori.r
  ori.cond_bra %p, ^arm, ^join : !ori.p
^arm:
  ori.stg <b32> [%q], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^join
^join:
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The latch runs more than 999 times, and four times as often as the header: hot, and of several blocks.
// CHECK: loop-unrolling: unrolled by 2
// CHECK: ori.func @hot_texture(
ori.func @hot_texture(%q: !ori.r64, %v: !ori.r, %p: !ori.p, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %t = ori.tld <tex2d, mask = 1, bound = 3, lz> coordinates(%v, %v) : (!ori.r, !ori.r) -> !ori.r
  ori.cond_bra %p, ^arm, ^join {ori.pragmas = ["frequency 1000"]} : !ori.p
^arm:
  ori.stg <b32> [%q], %t : (!ori.r64, !ori.r) -> ()
  ori.bra ^join
^join:
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit {ori.pragmas = ["frequency 4000"]} : !ori.p
^exit:
  ori.ret
}
