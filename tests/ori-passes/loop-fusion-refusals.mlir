// Loops that ori-loop-fusion leaves apart, by the criteria of the page.
//
// RUN: orison-opt --ori-loop-fusion=knobs=PerformLoopFusion=1 --remarks=text %s 2>%t.remarks | orison-opt -o %t.after
// RUN: FileCheck %s <%t.remarks
// RUN: orison-opt -o %t.before %s
// RUN: diff %t.before %t.after

// Criterion 1: bounds that nothing relates.
// CHECK: loop-fusion: not fused: the loops are not known to run equally often; equal starts
ori.func @bounds(%p: !ori.r64, %n: !ori.r, %m: !ori.r) target "sm_90" {
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
  %mj = ori.isetp <lt, s32, and> %j2, %m : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// A bound with the highest bit set ends one of them at once.
// CHECK: loop-fusion: not fused: the loops are not known to run equally often
ori.func @signedness(%p: !ori.r64, %n: !ori.r) target "sm_90" {
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
  %mj = ori.isetp <lt, u32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Ten iterations and eleven.
// CHECK: loop-fusion: not fused: the loops are not known to run equally often
ori.func @constants(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %ten = ori.imm 10 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %ten : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^second(%zero : !ori.r) : !ori.p
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <le, s32, and> %j2, %ten : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// From 0 below n, and from 4 below n + 4, which may wrap.
// CHECK: loop-fusion: not fused: the loops are not known to run equally often
ori.func @shifted(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %four = ori.imm 4 : !ori.r
  %end = ori.iadd3 %n, %four, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^second(%four : !ori.r) : !ori.p
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %end : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// By 1 to n, and by 4 to 4n: the second one ends at the first k for which 4k = 4n modulo 2^32.
// CHECK: loop-fusion: not fused: the loops are not known to run equally often
ori.func @even_multiple(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %four = ori.imm 4 : !ori.r
  %end = ori.imad %n, %four, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <ne, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^second(%zero : !ori.r) : !ori.p
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %four, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <ne, s32, and> %j2, %end : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// It goes on while memory says so.
// CHECK: loop-fusion: not fused: no counter is compared with a bound at the end of a loop
ori.func @uncounted(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  %x = ori.ldg <b32> [%p] : (!ori.r64) -> !ori.r
  %on = ori.isetp <ne, s32, and> %x, %zero : (!ori.r, !ori.r) -> !ori.p
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %on, ^first(%i2 : !ori.r), ^second(%zero : !ori.r) : !ori.p
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Criterion 2: the second loop reads what the next iteration of the first one writes (distance -1).
// CHECK: loop-fusion: not fused: an iteration may access what a later iteration of the first loop accesses; addresses
ori.func @read_too_early(%p: !ori.r64, %s: !ori.r, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %four = ori.imm 4 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  %a = ori.imad_wide <u32> %i, %four, %p : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  ori.stg <b32> [%a], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^second(%zero : !ori.r) : !ori.p
^second(%j: !ori.r):
  %b = ori.imad_wide <u32> %j, %four, %p : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %x = ori.ldg <b32> [%b + 4] : (!ori.r64) -> !ori.r
  ori.sts <b32> [%s], %x : (!ori.r, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// It writes what the next iteration of the first one reads.
// CHECK: loop-fusion: not fused: an iteration may access what a later iteration of the first loop accesses
ori.func @overwritten_too_early(%p: !ori.r64, %s: !ori.r, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %four = ori.imm 4 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  %a = ori.imad_wide <u32> %i, %four, %p : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %x = ori.ldg <b32> [%a] : (!ori.r64) -> !ori.r
  ori.sts <b32> [%s], %x : (!ori.r, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^second(%zero : !ori.r) : !ori.p
^second(%j: !ori.r):
  %b = ori.imad_wide <u32> %j, %four, %p : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  ori.stg <b32> [%b + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Words at distances of two bytes: the last two of one are the first two of the next one.
// CHECK: loop-fusion: not fused: an iteration may access what a later iteration of the first loop accesses
ori.func @half_overlap(%p: !ori.r64, %s: !ori.r, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %four = ori.imm 4 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  %a = ori.imad_wide <u32> %i, %four, %p : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  ori.stg <b32> [%a], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^second(%zero : !ori.r) : !ori.p
^second(%j: !ori.r):
  %b = ori.imad_wide <u32> %j, %four, %p : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %x = ori.ldg <b32> [%b + 2] : (!ori.r64) -> !ori.r
  ori.sts <b32> [%s], %x : (!ori.r, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The second loop goes twice as far.
// CHECK: loop-fusion: not fused: an iteration may access what a later iteration of the first loop accesses
ori.func @steps(%p: !ori.r64, %s: !ori.r, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %four = ori.imm 4 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  %a = ori.imad_wide <u32> %i, %four, %p : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  ori.stg <b32> [%a], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^second(%zero : !ori.r) : !ori.p
^second(%j: !ori.r):
  %c = ori.imad_wide <u32> %j, %four, %p : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %b = ori.imad_wide <u32> %j, %four, %c : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %x = ori.ldg <b32> [%b] : (!ori.r64) -> !ori.r
  ori.sts <b32> [%s], %x : (!ori.r, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Two pointers.
// CHECK: loop-fusion: not fused: an iteration may access what a later iteration of the first loop accesses
ori.func @may_alias(%p: !ori.r64, %q: !ori.r64, %s: !ori.r, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %four = ori.imm 4 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  %a = ori.imad_wide <u32> %i, %four, %p : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  ori.stg <b32> [%a], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^second(%zero : !ori.r) : !ori.p
^second(%j: !ori.r):
  %b = ori.imad_wide <u32> %j, %four, %q : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %x = ori.ldg <b32> [%b] : (!ori.r64) -> !ori.r
  ori.sts <b32> [%s], %x : (!ori.r, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The second sum begins with the first counter.
// CHECK: loop-fusion: not fused: the second loop begins with a result of the first one
ori.func @result(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^second(%zero, %i2 : !ori.r, !ori.r) : !ori.p
^second(%j: !ori.r, %s: !ori.r):
  %s2 = ori.iadd3 %s, %j, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2, %s2 : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.stg <b32> [%p], %s2 : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// It reads the last value in every iteration.
// CHECK: loop-fusion: not fused: the second loop begins with a result of the first one
ori.func @sum(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^second(%zero : !ori.r) : !ori.p
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %i2 : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// And a value computed from it.
// CHECK: loop-fusion: not fused: the second loop begins with a result of the first one
ori.func @sum_between(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^between : !ori.p
^between:
  %twice = ori.iadd3 %i2, %i2, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^second(%zero : !ori.r)
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %twice : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// What the second loop reads is written between them, and is what the first one has written last.
// CHECK: loop-fusion: not fused: an operation between the loops depends on what the first one accesses, and the second one depends on it
ori.func @written_between(%p: !ori.r64, %s: !ori.r, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^between : !ori.p
^between:
  %last = ori.ldg <b32> [%p] : (!ori.r64) -> !ori.r
  ori.sts <b32> [%s], %last : (!ori.r, !ori.r) -> ()
  ori.bra ^second(%zero : !ori.r)
^second(%j: !ori.r):
  %x = ori.lds <b32> [%s] : (!ori.r) -> !ori.r
  ori.stg <b32> [%p + 4], %x : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Criterion 3.
// CHECK: loop-fusion: not fused: a loop has several blocks; loops of one block
ori.func @several_blocks(%p: !ori.r64, %q: !ori.p, %n: !ori.r) target "sm_90" {
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
  ori.cond_bra %q, ^arm, ^end : !ori.p
^arm:
  ori.stg <b32> [%p + 8], %j : (!ori.r64, !ori.r) -> ()
  ori.bra ^end
^end:
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// One of them must not be unrolled.
// CHECK: loop-fusion: not fused: the pragmas of the loops differ
ori.func @pragmas(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^second(%zero : !ori.r) {ori.pragmas = ["nounroll"]} : !ori.p
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// One of them was unrolled.
// CHECK: loop-fusion: not fused: the pragmas of the loops differ
ori.func @unrolled(%p: !ori.r64, %n: !ori.r) target "sm_90" {
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
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit {ori.unrolled} : !ori.p
^exit:
  ori.ret
}

// Both are cold.
// CHECK: loop-fusion: not fused: a pragma says that a loop is hardly ever executed
ori.func @cold(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^second(%zero : !ori.r) {ori.pragmas = ["frequency 0"]} : !ori.p
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit {ori.pragmas = ["frequency 0"]} : !ori.p
^exit:
  ori.ret
}

// Criterion 5: what the first loop writes is visible to all threads in the second one.
// CHECK: loop-fusion: not fused: a barrier or a fence; loops with nothing ordered
ori.func @barrier(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^between : !ori.p
^between:
  ori.bar <sync, index = 0>
  ori.bra ^second(%zero : !ori.r)
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-fusion: not fused: a barrier or a fence
ori.func @fence(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^between : !ori.p
^between:
  ori.membar <all, gpu>
  ori.bra ^second(%zero : !ori.r)
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// In a loop.
// CHECK: loop-fusion: not fused: a barrier or a fence
ori.func @barrier_inside(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^second(%zero : !ori.r) : !ori.p
^second(%j: !ori.r):
  ori.bar <sync, index = 0>
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

ori.func @other() target "sm_90" {
  ori.ret
}

// CHECK: loop-fusion: not fused: a call
ori.func @call(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^between : !ori.p
^between:
  ori.call @other() : () -> ()
  ori.bra ^second(%zero : !ori.r)
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Threads that end do not execute the second loop.
// CHECK: loop-fusion: not fused: an end of threads
ori.func @end(%p: !ori.r64, %q: !ori.p, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^between : !ori.p
^between:
  ori.exit_if %q : !ori.p
  ori.bra ^second(%zero : !ori.r)
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Time passes between the loops.
// CHECK: loop-fusion: not fused: an operation whose effect is ordered
ori.func @clock(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^between : !ori.p
^between:
  %clock = ori.cs2r <register = "SR_CLOCKLO"> : !ori.r
  ori.stg <b32> [%p + 8], %clock : (!ori.r64, !ori.r) -> ()
  ori.bra ^second(%zero : !ori.r)
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Other threads may see the order of the stores.
// CHECK: loop-fusion: not fused: an operation whose effect is ordered
ori.func @strong(%p: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^second(%zero : !ori.r) : !ori.p
^second(%j: !ori.r):
  ori.stg <b32, strong, gpu> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// CHECK: loop-fusion: not fused: threads exchange values between the loops
ori.func @vote(%p: !ori.r64, %q: !ori.p, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^between : !ori.p
^between:
  %t:2 = ori.vote <any> %q : (!ori.p) -> (!ori.r, !ori.p)
  ori.stg <b32> [%p + 8], %t#0 : (!ori.r64, !ori.r) -> ()
  ori.bra ^second(%zero : !ori.r)
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Each thread has a number of iterations of its own.
// CHECK: loop-fusion: not fused: threads that exchange values leave a loop one by one
ori.func @divergent_vote(%p: !ori.r64, %q: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %tid = ori.s2r <register = "SR_TID.X"> : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  %t:2 = ori.vote <any> %q : (!ori.p) -> (!ori.r, !ori.p)
  ori.stg <b32> [%p], %t#0 : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %tid : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^second(%zero : !ori.r) : !ori.p
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %tid : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Criterion 6: a condition in front of the second loop only.
// CHECK: loop-fusion: not fused: the second loop may not run where the first one does, or the reverse; the same condition
ori.func @condition(%p: !ori.r64, %q: !ori.p, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^between : !ori.p
^between:
  ori.cond_bra %q, ^second(%zero : !ori.r), ^exit : !ori.p
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Different conditions.
// CHECK: loop-fusion: not fused: the second loop may not run where the first one does
ori.func @other_condition(%p: !ori.r64, %q: !ori.p, %r: !ori.p, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.cond_bra %q, ^first(%zero : !ori.r), ^between : !ori.p
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^between : !ori.p
^between:
  ori.cond_bra %r, ^second(%zero : !ori.r), ^exit : !ori.p
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// Where one runs, the other does not.
// CHECK: loop-fusion: not fused: the second loop may not run where the first one does
ori.func @opposite_condition(%p: !ori.r64, %q: !ori.p, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.cond_bra %q, ^first(%zero : !ori.r), ^between : !ori.p
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^between : !ori.p
^between:
  ori.cond_bra %q, ^exit, ^second(%zero : !ori.r) : !ori.p
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The second loop also runs without the first one.
// CHECK: loop-fusion: not fused: the second loop may not run where the first one does
ori.func @merge(%p: !ori.r64, %q: !ori.p, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.cond_bra %q, ^first(%zero : !ori.r), ^between : !ori.p
^first(%i: !ori.r):
  ori.stg <b32> [%p], %i : (!ori.r64, !ori.r) -> ()
  %i2 = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mi = ori.isetp <lt, s32, and> %i2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mi, ^first(%i2 : !ori.r), ^between : !ori.p
^between:
  ori.bra ^second(%zero : !ori.r)
^second(%j: !ori.r):
  ori.stg <b32> [%p + 4], %j : (!ori.r64, !ori.r) -> ()
  %j2 = ori.iadd3 %j, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %mj = ori.isetp <lt, s32, and> %j2, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %mj, ^second(%j2 : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// It is entered from two blocks.
// CHECK: loop-fusion: not fused: the second loop may not run where the first one does
ori.func @two_entries(%p: !ori.r64, %q: !ori.p, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.cond_bra %q, ^first(%zero : !ori.r), ^second(%zero : !ori.r) : !ori.p
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
