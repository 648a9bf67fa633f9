// Loops that ori-loop-unrolling leaves alone, with the codes of the page.
//
// RUN: orison-opt --ori-loop-unrolling --remarks=text %s 2>%t.remarks | orison-opt -o %t.after
// RUN: FileCheck %s <%t.remarks
// RUN: orison-opt -o %t.before %s
// RUN: diff %t.before %t.after

// CHECK: loop-unrolling: Not unrolled: a pragma excludes it (code 11)
ori.func @pragma(%q: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit {ori.pragmas = ["nounroll"]} : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: it is the result of unrolling (code 11)
ori.func @again(%q: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit {ori.unrolled} : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: operations of the threads together, which may not run equally often (code 11)
// The bound is no constant and no parameter.
ori.func @vote(%q: !ori.r64, %n: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %t:2 = ori.vote <any> %p : (!ori.p) -> (!ori.r, !ori.p)
  ori.stg <b32> [%q], %t#0 : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: the budget allows no factor (code 12)
// Too many iterations for copies, and several blocks.
ori.func @no_factor(%q: !ori.r64, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 9000 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.cond_bra %p, ^arm, ^join : !ori.p
^arm:
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  ori.bra ^join
^join:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: it does not end in a conditional branch (code 13)
ori.func @endless(%q: !ori.r64) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  ori.bra ^head
^head:
  ori.stg <b32> [%q], %zero : (!ori.r64, !ori.r) -> ()
  ori.bra ^head
}

// CHECK: loop-unrolling: Not unrolled: it does not end in a conditional branch (code 13)
// An indexed branch in the loop.
ori.func @switch(%q: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.brx %i, [^one, ^two] : !ori.r
^one:
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  ori.bra ^two
^two:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: the condition is inverted (code 14)
ori.func @inverted(%q: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <ge, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra not %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: the condition is no comparison (code 14)
ori.func @no_comparison(%q: !ori.r64, %n: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %p, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: no counter is compared (code 14)
ori.func @doubled(%q: !ori.r64, %n: !ori.r) target "sm_90" {
  %one = ori.imm 1 : !ori.r
  %zero = ori.imm 0 : !ori.r
  ori.bra ^head(%one : !ori.r)
^head(%i: !ori.r):
  %next = ori.iadd3 %i, %i, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: what is compared is computed from the counter (code 14)
ori.func @computed(%q: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %sum = ori.iadd3 %next, %step, %step : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %sum, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: the value before the step is compared (code 14)
ori.func @before(%q: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %i, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: it goes on while the counter is one value (code 14)
ori.func @equal(%q: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <eq, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: the counter is not an integer (code 15)
// The number of iterations is not constant.
ori.func @float(%q: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1065353216 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%x: !ori.r):
  %next = ori.fadd %x, %one : (!ori.r, !ori.r) -> !ori.r
  %more = ori.fsetp <lt, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: the counter is not an integer (code 15)
// 2^24 + 1 is no float: the counter stays what it is.
ori.func @float_stays(%q: !ori.r64) target "sm_90" {
  %start = ori.imm 1266679808 : !ori.r // 2^24
  %one = ori.imm 1065353216 : !ori.r
  %end = ori.imm 1266679818 : !ori.r // 2^24 + 20
  ori.bra ^head(%start : !ori.r)
^head(%x: !ori.r):
  %next = ori.fadd %x, %one : (!ori.r, !ori.r) -> !ori.r
  %more = ori.fsetp <lt, and> %next, %end : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: the counter is not an integer (code 15)
// The value before the step is compared.
ori.func @float_before(%q: !ori.r64) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1065353216 : !ori.r
  %two = ori.imm 1073741824 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%x: !ori.r):
  %next = ori.fadd %x, %one : (!ori.r, !ori.r) -> !ori.r
  %more = ori.fsetp <lt, and> %x, %two : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: the comparison is combined with another one, and the number of iterations is not constant (code 14)
ori.func @both_unknown(%q: !ori.r64, %n: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %three = ori.imm 3 : !ori.r
  %true = ori.imm 1 : !ori.p
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  %both = ori.plop3 <lut = 192> %p, %more, %true : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.cond_bra %both, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: the condition is no comparison (code 14)
// It goes on while one of them holds.
ori.func @either(%q: !ori.r64, %n: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %three = ori.imm 3 : !ori.r
  %true = ori.imm 1 : !ori.p
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %three : (!ori.r, !ori.r) -> !ori.p
  %both = ori.plop3 <lut = 252> %p, %more, %true : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.cond_bra %both, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: both sides of the comparison change (code 16)
// The bound is loaded in each iteration.
ori.func @bound(%q: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %m = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %m : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: the bound is computed in the loop (code 16)
ori.func @inner_bound(%q: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %m = ori.iadd3 %n, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %m : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: it has several back edges (code 17)
ori.func @back_edges(%p: !ori.p, %r: !ori.p) target "sm_90" {
  ori.bra ^head
^head:
  ori.cond_bra %p, ^head, ^other : !ori.p
^other:
  ori.cond_bra %r, ^head, ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: it calls a function (code 17)
ori.func @calls(%q: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.call @pragma(%q, %i) : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: it contains a fence (code 17)
ori.func @fence(%q: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.membar <sc, gpu>
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: not every iteration executes its barrier (code 17)
ori.func @barrier(%q: !ori.r64, %n: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.cond_bra %p, ^arm, ^join : !ori.p
^arm:
  ori.bar <sync, index = 0>
  ori.bra ^join
^join:
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: several branches enter it (code 17)
ori.func @entries(%q: !ori.r64, %n: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.cond_bra %p, ^head(%zero : !ori.r), ^other : !ori.p
^other:
  ori.bra ^head(%step : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: the counter is changed more than once (code 17)
ori.func @twice(%q: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %half = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %half, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: the counter is changed in another block (code 17)
ori.func @elsewhere(%q: !ori.r64, %n: !ori.r, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.cond_bra %p, ^arm, ^join : !ori.p
^arm:
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  ori.bra ^join
^join:
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: the counter starts at the bound (code 18)
ori.func @nothing(%q: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%n : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <ne, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: the counter moves away from the bound (code 19)
ori.func @away(%q: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <gt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: the copies would be more than 16,384 instructions (code 24)
// All of an iteration is saved, but there are a million.
ori.func @huge(%q: !ori.r64) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  %n = ori.imm 1000000 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-unrolling: Not unrolled: a pragma excludes it (code 11)
// CHECK: loop-unrolling: Not unrolled: an inner loop is left (code 17)
// CHECK: # [partially unrolled loops=0] [non-unrolled loops=2]
ori.func @around(%q: !ori.r64) target "sm_90" {
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
  ori.cond_bra %again, ^inner(%j2 : !ori.r), ^latch {ori.pragmas = ["nounroll"]} : !ori.p
^latch:
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %i2, %three : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^outer(%i2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The test is not at the end: also with the knob for other shapes.
// CHECK: loop-unrolling: Not unrolled: its test is not at its end (code 17)
ori.func @not_at_the_end(%q: !ori.r64, %n: !ori.r) target "sm_90" attributes {ori.knobs = {LoopUnrollUnknownMultiBlock = true}} {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^body, ^exit : !ori.p
^body:
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  ori.bra ^head(%next : !ori.r)
^exit:
  ori.ret
}
