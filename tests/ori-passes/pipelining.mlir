// Loops that ori-pipelining overlaps: prologue, kernel, epilogue, and the loop for what is left.
//
// RUN: orison-opt --ori-pipelining --remarks=text %s 2>%t.remarks -o %t.after
// RUN: FileCheck %s <%t.after
// RUN: FileCheck --check-prefix=REMARK %s <%t.remarks
// RUN: orison-opt --ori-pipelining %t.after -o %t.twice
// RUN: diff %t.after %t.twice

// A sum reads the load of its iteration 64 cycles later. With two stages an iteration begins every 33
// cycles: the load of the next iteration stands in front of the sum. A round has two iterations, which
// have the names of the loaded values; three iterations must be left in front of it.
// REMARK: begins every 33 cycles, and at least 33 (recurrences 6, pipes 1, stages 33); stages: 2, copies: 2
// CHECK-LABEL: ori.func @sum(
// CHECK-SAME: %[[Q:.*]]: !ori.r64, %[[X:.*]]: !ori.r, %{{.*}}: !ori.p)
// CHECK: ^bb1(%[[I:.*]]: !ori.r, %[[S:.*]]: !ori.r):
// CHECK: %[[MINUS2:.*]] = ori.imm -2
// CHECK: %[[LIMIT3:.*]] = ori.iadd3 %[[N:.*]], %[[MINUS2]],
// CHECK: %[[VALID:.*]] = ori.isetp <lt, s32, and> %[[LIMIT3]], %[[N]]
// CHECK: %[[MINUS1:.*]] = ori.imm -1
// CHECK: %[[LIMIT2:.*]] = ori.iadd3 %[[N]], %[[MINUS1]],
// CHECK: %[[THREE:.*]] = ori.isetp <lt, s32, and> %[[I]], %[[LIMIT3]] with(%[[VALID]])
// CHECK: ori.cond_bra %[[THREE]], ^bb2, ^bb5(%[[I]], %[[S]] :
// CHECK: ^bb2:
// CHECK-NEXT: %[[V0:.*]] = ori.ldg <b32> [%[[Q]]]
// CHECK-NEXT: %[[I1:.*]] = ori.iadd3 %[[I]],
// CHECK-NEXT: ori.bra ^bb3(%[[I1]], %[[V0]], %[[S]] :
// CHECK: ^bb3(%[[J:.*]]: !ori.r, %[[V:.*]]: !ori.r, %[[T:.*]]: !ori.r):
// CHECK-NEXT: %[[V1:.*]] = ori.ldg <b32> [%[[Q]]]
// CHECK-NEXT: %[[J1:.*]] = ori.iadd3 %[[J]],
// CHECK-NEXT: %[[T1:.*]] = ori.ffma %[[V]], %[[X]], %[[T]]
// CHECK-NEXT: %[[V2:.*]] = ori.ldg <b32> [%[[Q]]]
// CHECK-NEXT: %[[J2:.*]] = ori.iadd3 %[[J1]],
// CHECK-NEXT: %[[T2:.*]] = ori.ffma %[[V1]], %[[X]], %[[T1]]
// CHECK-NEXT: %[[TWO:.*]] = ori.isetp <lt, s32, and> %[[J2]], %[[LIMIT2]]
// CHECK-NEXT: ori.cond_bra %[[TWO]], ^bb3(%[[J2]], %[[V2]], %[[T2]] : {{.*}}), ^bb4 {ori.pipelined}
// CHECK: ^bb4:
// CHECK-NEXT: %[[T3:.*]] = ori.ffma %[[V2]], %[[X]], %[[T2]]
// CHECK-NEXT: %[[MORE:.*]] = ori.isetp <lt, s32, and> %[[J2]], %[[N]]
// CHECK-NEXT: ori.cond_bra %[[MORE]], ^bb5(%[[J2]], %[[T3]] : {{.*}}), ^bb6(%[[T3]] :
// CHECK: ^bb5(
// CHECK: ori.cond_bra %{{.*}}, ^bb5({{.*}}), ^bb6({{.*}}) {ori.pipelined}
// CHECK: ^bb6(%[[R:.*]]: !ori.r):
// CHECK-NEXT: ori.ret %[[R]]
ori.func @sum(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineStageLimit = 2}} {
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
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// The product of an iteration is used behind the loop only. It is computed like the sum: in the second stage,
// and once more behind the kernel.
// REMARK: begins every 33 cycles{{.*}} stages: 2, copies: 2
// CHECK-LABEL: ori.func @behind(
// CHECK: ^bb3(%{{.*}}: !ori.r, %[[V:.*]]: !ori.r):
// CHECK-NEXT: %[[V1:.*]] = ori.ldg
// CHECK: ori.fmul %[[V]],
// CHECK: %[[V2:.*]] = ori.ldg
// CHECK: ori.fmul %[[V1]],
// CHECK: ^bb4:
// CHECK-NEXT: %[[LAST:.*]] = ori.fmul %[[V2]],
// CHECK: ori.cond_bra %{{.*}}, ^bb5({{.*}}), ^bb6(%[[LAST]] :
// CHECK: ^bb6(%[[R:.*]]: !ori.r):
// CHECK-NEXT: ori.ret %[[R]]
ori.func @behind(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineStageLimit = 2}} {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %last = ori.fmul %v, %x : (!ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret %last : !ori.r
}

// Of nine iterations one begins in front of the kernel, and four rounds of two are left: nothing is left
// for the loop, which is gone.
// REMARK: begins every 33 cycles{{.*}} stages: 2, copies: 2
// CHECK-LABEL: ori.func @nine(
// CHECK-NOT: cond_bra
// CHECK: ori.bra ^bb2
// CHECK: ^bb2:
// CHECK: ori.bra ^bb3(
// CHECK: ^bb3(
// CHECK: ori.cond_bra {{.*}}, ^bb3({{.*}}), ^bb4 {ori.pipelined}
// CHECK: ^bb4:
// CHECK-NEXT: %[[T:.*]] = ori.ffma
// CHECK-NEXT: ori.bra ^bb5(%[[T]]
// CHECK: ^bb5(%[[R:.*]]: !ori.r):
// CHECK-NEXT: ori.ret %[[R]]
ori.func @nine(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineStageLimit = 2}} {
  %n = ori.imm 9 : !ori.r
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

// Of ten, one is left for the loop: its test is not needed in front of it.
// CHECK-LABEL: ori.func @ten(
// CHECK: ^bb4:
// CHECK-NEXT: ori.ffma
// CHECK-NEXT: ori.bra ^bb5(
// CHECK: ^bb5({{.*}}:  // 2 preds: ^bb4, ^bb5
ori.func @ten(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineStageLimit = 2}} {
  %n = ori.imm 10 : !ori.r
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

// An iteration reads what the one three before has stored: 1 cycle in three iterations is no recurrence
// that counts, and the product of 6 cycles between them is one of (64 + 6 + 1) / 3. Without the distance
// of the accesses it would be 71.
// REMARK: begins every 24 cycles, and at least 24 (recurrences 24, pipes 1, stages 9); stages: 3
// CHECK-LABEL: ori.func @three_before(
// CHECK: ori.pipelined
ori.func @three_before(%q: !ori.r64, %x: !ori.r, %p: !ori.p) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %four = ori.imm 4 : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %q : !ori.r, !ori.r64)
^loop(%i: !ori.r, %a: !ori.r64):
  %v = ori.ldg <b32> [%a - 12] : (!ori.r64) -> !ori.r
  %t = ori.fmul %v, %x : (!ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%a], %t : (!ori.r64, !ori.r) -> ()
  %b = ori.imad_wide <u32> %step, %four, %a : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %b : !ori.r, !ori.r64), ^exit : !ori.p
^exit:
  ori.ret
}

// A store to any address may be what the next iteration loads: 64 + 6 + 1 cycles, in which nothing
// overlaps.
// REMARK: Not pipelined: iterations do not overlap at an initiation interval of 71 cycles
// CHECK-LABEL: ori.func @anywhere(
// CHECK-NOT: ori.pipelined
ori.func @anywhere(%q: !ori.r64, %x: !ori.r, %a: !ori.r64) target "sm_80" {
  %n = ori.cbank[0, 360] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start : !ori.r)
^loop(%i: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.fmul %v, %x : (!ori.r, !ori.r) -> !ori.r
  ori.stg <b32> [%a], %t : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// A counter of 64 bits.
// REMARK: stages: 2
// CHECK-LABEL: ori.func @wide(
// CHECK: %[[LOW:[0-9]+]]:2 = ori.iadd3 %[[N0:[0-9]+]], %{{.*}}, %{{.*}} -> (!ori.r, !ori.p)
// CHECK: %[[HIGH:[0-9]+]] = ori.iadd3 <extended> %[[N1:[0-9]+]], %{{.*}} carry(%[[LOW]]#1)
// CHECK: ori.isetp <lt, u32, and> %[[LOW]]#0, %[[N0]]
// CHECK: ori.isetp <lt, s32, extended, and> %[[HIGH]], %[[N1]] low(
// CHECK: ori.pipelined
ori.func @wide(%q: !ori.r64, %x: !ori.r) target "sm_80" attributes {ori.knobs = {PipelineStageLimit = 2}} {
  %n0 = ori.cbank[0, 360] : !ori.r
  %n1 = ori.cbank[0, 364] : !ori.r
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %start = ori.imm 0 : !ori.r64
  ori.bra ^loop(%start : !ori.r64)
^loop(%i: !ori.r64):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %t = ori.fmul %v, %x : (!ori.r, !ori.r) -> !ori.r
  ori.sts <b32> [%zero], %t : (!ori.r, !ori.r) -> ()
  %i0 = ori.extract %i[0] : (!ori.r64) -> !ori.r
  %i1 = ori.extract %i[1] : (!ori.r64) -> !ori.r
  %j0:2 = ori.iadd3 %i0, %one, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  %j1 = ori.iadd3 <extended> %i1, %zero, %zero carry(%j0#1) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %j = ori.concat %j0#0, %j1 : (!ori.r, !ori.r) -> !ori.r64
  %low = ori.isetp <lt, u32, and> %j0#0, %n0 : (!ori.r, !ori.r) -> !ori.p
  %more = ori.isetp <lt, s32, extended, and> %j1, %n1 low(%low) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.cond_bra %more, ^loop(%j : !ori.r64), ^exit : !ori.p
^exit:
  ori.ret
}

// Operations of the threads together keep their order: an iteration exchanges before the next one does.
// REMARK: stages: 2
// CHECK-LABEL: ori.func @together(
// CHECK: ^bb3(
// CHECK: ori.shfl
// CHECK-NOT: ori.ldg
// CHECK: ori.vote
// CHECK: ori.pipelined
ori.func @together(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {PipelineStageLimit = 2}} {
  %n = ori.cbank[0, 360] : !ori.r
  %mask = ori.imm 31 : !ori.r
  %zero = ori.imm 0 : !ori.r
  %start = ori.imm 0 : !ori.r
  %step = ori.imm 1 : !ori.r
  ori.bra ^loop(%start, %zero : !ori.r, !ori.r)
^loop(%i: !ori.r, %s: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %w, %k = ori.shfl <bfly> %v, %step, %mask : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  %b = ori.vote <any> %k : (!ori.p) -> !ori.r
  %t = ori.iadd3 %w, %b, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}

// CHECK-LABEL: ori.func @off(
// CHECK-NOT: ori.pipelined
ori.func @off(%q: !ori.r64, %x: !ori.r, %p: !ori.p) -> !ori.r target "sm_80" attributes {ori.knobs = {Pipelining = false}} {
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
  ori.cond_bra %more, ^loop(%next, %t : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %t : !ori.r
}
