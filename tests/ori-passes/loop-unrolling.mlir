// The forms that ori-loop-unrolling gives to loops.
//
// RUN: orison-opt --ori-loop-unrolling %s | FileCheck %s
// RUN: orison-opt --ori-loop-unrolling --ori-loop-unrolling %s -o %t.twice
// RUN: orison-opt --ori-loop-unrolling %s -o %t.once
// RUN: diff %t.once %t.twice
// RUN: orison-opt --ori-loop-unrolling=knobs=DisablePartialUnrollOverflowCheck %s | FileCheck --check-prefix=UNCHECKED %s
// RUN: orison-opt --ori-loop-unrolling=knobs=EpilogueLoopUnrollCount=2 %s | FileCheck --check-prefix=EPILOGUE %s
// RUN: orison-opt --ori-loop-unrolling=knobs=LoopUnrollFactor=8 %s | FileCheck --check-prefix=EIGHT %s
// RUN: orison-opt --ori-loop-unrolling=knobs=LoopUnroll=false %s -o %t.off
// RUN: orison-opt %s -o %t.same
// RUN: diff %t.same %t.off
// RUN: orison-opt --ori-loop-unrolling=knobs=LoopMakeSingleEntry=false %s -o %t.guarded
// RUN: diff %t.same %t.guarded

// Three iterations, three copies, no branch.
// CHECK-LABEL: ori.func @full(
// CHECK: ^bb1(%[[I:.*]]: !ori.r):
// CHECK-NEXT: ori.stg <b32> [%arg0], %[[I]]
// CHECK-NEXT: %[[NEXT:.*]] = ori.iadd3 %[[I]],
// CHECK: ori.bra ^[[SECOND:bb[0-9]+]](%[[NEXT]] : !ori.r)
// CHECK: ^[[SECOND]](%[[J:.*]]: !ori.r):
// CHECK-NEXT: ori.stg <b32> [%arg0], %[[J]]
// CHECK: ori.bra ^[[THIRD:bb[0-9]+]](
// CHECK: ^[[THIRD]](%[[K:.*]]: !ori.r):
// CHECK-NEXT: ori.stg <b32> [%arg0], %[[K]]
// CHECK-NOT: ori.stg
// CHECK-NOT: ori.cond_bra
// CHECK: ori.ret
ori.func @full(%q: !ori.r64) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %n = ori.imm 3 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// 9,001 iterations of 2 stores are too many. With a loop of f copies, 2 * f + 2 * (9001 mod f) instructions may be 350:
// 155 is the largest f; the remainder is 11.
// CHECK-LABEL: ori.func @partial(
// CHECK-COUNT-22: ori.stg
// CHECK: ^[[HEAD:bb[0-9]+]](%{{.*}}: !ori.r):  // 2 preds
// CHECK-COUNT-310: ori.stg
// CHECK-NOT: ori.stg
// CHECK: ori.cond_bra %{{.*}}, ^[[HEAD]](%{{.*}} : !ori.r), ^{{.*}} {ori.unrolled} : !ori.p
// CHECK-NOT: ori.cond_bra
// CHECK: ori.ret
ori.func @partial(%q: !ori.r64) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %n = ori.imm 9001 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// One copy if not i < n at the start; four copies while i < n - 3, two if i < n - 1, and the loop if i < n. The
// differences must not wrap.
// CHECK-LABEL: ori.func @unknown(
// CHECK: ^bb1(%[[I:.*]]: !ori.r):
// CHECK: %[[BY3:.*]] = ori.imm -3
// CHECK: %[[FOUR:.*]] = ori.iadd3 %arg1, %[[BY3]],
// CHECK: %[[RIGHT4:.*]] = ori.isetp <lt, s32, and> %[[FOUR]], %arg1
// CHECK: %[[BY1:.*]] = ori.imm -1
// CHECK: %[[TWO:.*]] = ori.iadd3 %arg1, %[[BY1]],
// CHECK: %[[RIGHT2:.*]] = ori.isetp <lt, s32, and> %[[TWO]], %arg1
// CHECK-NEXT: %[[HOLDS:.*]] = ori.isetp <lt, s32, and> %[[I]], %arg1
// CHECK-NEXT: ori.cond_bra %[[HOLDS]], ^[[MANY:bb[0-9]+]](%[[I]] : !ori.r), ^[[SINGLE:bb[0-9]+]](%[[I]] : !ori.r)
// CHECK: ^[[SINGLE]](
// CHECK-COUNT-1: ori.stg
// CHECK: ori.bra ^[[MANY]](
// CHECK: ^[[MANY]](%[[H:.*]]: !ori.r):
// CHECK-NEXT: %[[RUN4:.*]] = ori.isetp <lt, s32, and> %[[H]], %[[FOUR]] with(%[[RIGHT4]])
// CHECK-NEXT: ori.cond_bra %[[RUN4]], ^[[COPY:bb[0-9]+]](%[[H]] : !ori.r), ^[[LEFT:bb[0-9]+]](%[[H]] : !ori.r)
// CHECK: ^[[COPY]](
// CHECK-COUNT-4: ori.stg
// CHECK: %[[I4:.*]] = ori.iadd3
// CHECK: %[[AGAIN:.*]] = ori.isetp <lt, s32, and> %[[I4]], %[[FOUR]] :
// CHECK: ori.cond_bra %[[AGAIN]], ^[[COPY]](%[[I4]] : !ori.r), ^[[LEFT]](%[[I4]] : !ori.r) {ori.unrolled}
// CHECK: ^[[LEFT]](%[[J:.*]]: !ori.r):
// CHECK: %[[RUN2:.*]] = ori.isetp <lt, s32, and> %[[J]], %[[TWO]] with(%[[RIGHT2]])
// CHECK: ori.cond_bra %[[RUN2]], ^{{.*}}, ^[[LAST:bb[0-9]+]](
// CHECK-COUNT-2: ori.stg
// CHECK: ^[[LAST]](%[[K:.*]]: !ori.r):
// CHECK-NEXT: %[[RUN1:.*]] = ori.isetp <lt, s32, and> %[[K]], %arg1 :
// CHECK-NEXT: ori.cond_bra %[[RUN1]], ^[[LOOP:bb[0-9]+]](%[[K]] : !ori.r), ^[[EXIT:bb[0-9]+]] :
// CHECK: ^[[LOOP]](
// CHECK-NEXT: ori.stg
// CHECK: ori.cond_bra %{{.*}}, ^[[LOOP]](%{{.*}} : !ori.r), ^[[EXIT]] {ori.unrolled}
// UNCHECKED-LABEL: ori.func @unknown(
// UNCHECKED: ori.isetp <lt, s32, and> %{{[0-9]+}}, %{{[0-9]+}} : (!ori.r, !ori.r) -> !ori.p
// UNCHECKED-NOT: and> %{{.*}} with(
// UNCHECKED: ori.ret
// The second loop has two copies.
// EPILOGUE-LABEL: ori.func @unknown(
// EPILOGUE: ori.cond_bra %{{.*}} {ori.unrolled}
// EPILOGUE-COUNT-2: ori.stg
// EPILOGUE: ori.cond_bra %{{.*}} {ori.unrolled}
// EPILOGUE: ori.stg
// EPILOGUE: ori.cond_bra %{{.*}} {ori.unrolled}
// One copy, eight, four, two, and the loop.
// EIGHT-LABEL: ori.func @unknown(
// EIGHT: ori.cond_bra
// EIGHT: ori.stg
// EIGHT: ori.cond_bra
// EIGHT-COUNT-8: ori.stg
// EIGHT: {ori.unrolled}
// EIGHT: ori.cond_bra
// EIGHT-COUNT-4: ori.stg
// EIGHT: ori.cond_bra
// EIGHT-COUNT-2: ori.stg
// EIGHT: ori.cond_bra
// EIGHT: ori.stg
// EIGHT-NOT: ori.stg
// EIGHT: {ori.unrolled}
ori.func @unknown(%q: !ori.r64, %n: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// What the last iteration computes leaves by an argument of the exit block; no iteration has computed it before the
// first one.
// CHECK-LABEL: ori.func @result(
// CHECK: %[[UNDEF:.*]] = ori.undef : !ori.r
// CHECK: ori.cond_bra %{{.*}}, ^{{.*}}(%{{.*}}, %{{.*}}, %[[UNDEF]] : !ori.r, !ori.r, !ori.r), ^{{.*}}(%{{.*}}, %{{.*}} : !ori.r, !ori.r)
// CHECK: ori.ret %{{.*}} : !ori.r
ori.func @result(%q: !ori.r64, %n: !ori.r) -> !ori.r target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %two = ori.imm 2 : !ori.r
  ori.bra ^head(%zero, %zero : !ori.r, !ori.r)
^head(%i: !ori.r, %sum: !ori.r):
  %x = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  %more_of_it = ori.iadd3 %sum, %x, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %next = ori.iadd3 %i, %two, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <le, u32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next, %more_of_it : !ori.r, !ori.r), ^exit : !ori.p
^exit:
  ori.ret %more_of_it : !ori.r
}

// A comparison for inequality becomes one of signed numbers, downwards here.
// CHECK-LABEL: ori.func @down(
// CHECK: %[[BY:.*]] = ori.imm 12 : !ori.r
// CHECK: %[[LIMIT:.*]] = ori.iadd3 %arg1, %[[BY]],
// CHECK: ori.isetp <gt, s32, and> %[[LIMIT]], %arg1
// CHECK: ori.isetp <gt, s32, and> %{{.*}}, %[[LIMIT]] with(
// CHECK: ori.isetp <ne, s32, and>
ori.func @down(%q: !ori.r64, %n: !ori.r, %start: !ori.r) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %step = ori.imm -4 : !ori.r
  ori.bra ^head(%start : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %step, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <ne, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// A counter of 64 bits: sums and comparisons of both words.
// CHECK-LABEL: ori.func @wide(
// CHECK: %[[LOW:.*]]:2 = ori.iadd3
// CHECK: ori.iadd3 <extended> %{{.*}} carry(%[[LOW]]#1)
// CHECK: %[[LESS:.*]] = ori.isetp <lt, u32, and>
// CHECK: ori.isetp <lt, s32, extended, and> %{{.*}} low(%[[LESS]])
ori.func @wide(%q: !ori.r64, %n: !ori.r64) target "sm_90" {
  %none = ori.imm 0 : !ori.r64
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %n0 = ori.extract %n[0] : (!ori.r64) -> !ori.r
  %n1 = ori.extract %n[1] : (!ori.r64) -> !ori.r
  ori.bra ^head(%none : !ori.r64)
^head(%i: !ori.r64):
  %low = ori.extract %i[0] : (!ori.r64) -> !ori.r
  %high = ori.extract %i[1] : (!ori.r64) -> !ori.r
  ori.stg <b32> [%q], %low : (!ori.r64, !ori.r) -> ()
  %next0:2 = ori.iadd3 %low, %one, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  %next1 = ori.iadd3 <extended> %high, %zero, %zero carry(%next0#1) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  %next = ori.concat %next0#0, %next1 : (!ori.r, !ori.r) -> !ori.r64
  %less = ori.isetp <lt, u32, and> %next0#0, %n0 : (!ori.r, !ori.r) -> !ori.p
  %more = ori.isetp <lt, s32, extended, and> %next1, %n1 low(%less) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r64), ^exit : !ori.p
^exit:
  ori.ret
}

// Another exit stays in each copy, and the exit block has several predecessors: it is one of the loop then.
// CHECK-LABEL: ori.func @exits(
// CHECK-COUNT-2: ori.cond_bra %arg1,
// CHECK-NOT: ori.cond_bra
// CHECK: ori.ret
ori.func @exits(%q: !ori.r64, %p: !ori.p) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %two = ori.imm 2 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  ori.cond_bra %p, ^exit(%i : !ori.r), ^body : !ori.p
^body:
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %two : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit(%next : !ori.r) : !ori.p
^exit(%x: !ori.r):
  ori.stg <b32> [%q + 4], %x : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// A test at the start that was not moved: the header runs once more than the body.
// CHECK-LABEL: ori.func @tested(
// CHECK: ori.stg <b32> [%arg0], %{{.*}}
// CHECK-NEXT: %{{.*}} = ori.iadd3
// CHECK: ori.stg <b32> [%arg0], %{{.*}}
// CHECK-NOT: ori.stg
// CHECK-NOT: ori.cond_bra
// CHECK: ori.ret
ori.func @tested(%q: !ori.r64) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %two = ori.imm 2 : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %more = ori.isetp <lt, s32, and> %i, %two : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^body, ^exit : !ori.p
^body:
  ori.stg <b32> [%q], %i : (!ori.r64, !ori.r) -> ()
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.bra ^head(%next : !ori.r)
^exit:
  ori.ret
}

// 7 operations and constants of an accumulator, which are moved to its registers: 8 of them make 15 instructions, 16
// make 23, which is more than 22.
// CHECK-LABEL: ori.func @reset_few(
// CHECK-COUNT-8: ori.wgmma.mma
// CHECK-NOT: ori.wgmma.mma
// CHECK-LABEL: ori.func @reset_many(
// CHECK-COUNT-1: ori.wgmma.mma
// CHECK-NOT: ori.wgmma.mma
// CHECK: ori.ret
ori.func @reset_few(%d: !ori.r64) target "sm_90a" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %n = ori.cbank [0, 536] : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %z0 = ori.imm 0 : !ori.r
  %z1 = ori.imm 0 : !ori.r
  %z2 = ori.imm 0 : !ori.r
  %z3 = ori.imm 0 : !ori.r
  %z4 = ori.imm 0 : !ori.r
  %z5 = ori.imm 0 : !ori.r
  %z6 = ori.imm 0 : !ori.r
  %z7 = ori.imm 0 : !ori.r
  %c = ori.concat %z0, %z1, %z2, %z3, %z4, %z5, %z6, %z7 : (!ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<8>
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 16, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%c) : (!ori.r64, !ori.r64, !ori.acc<8>) -> !ori.acc<8>
  ori.wgmma.commit
  ori.wgmma.wait <count = 0> : () -> ()
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, u32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

ori.func @reset_many(%d: !ori.r64) target "sm_90a" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %n = ori.cbank [0, 536] : !ori.r
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %z0 = ori.imm 0 : !ori.r
  %z1 = ori.imm 0 : !ori.r
  %z2 = ori.imm 0 : !ori.r
  %z3 = ori.imm 0 : !ori.r
  %z4 = ori.imm 0 : !ori.r
  %z5 = ori.imm 0 : !ori.r
  %z6 = ori.imm 0 : !ori.r
  %z7 = ori.imm 0 : !ori.r
  %z8 = ori.imm 0 : !ori.r
  %z9 = ori.imm 0 : !ori.r
  %z10 = ori.imm 0 : !ori.r
  %z11 = ori.imm 0 : !ori.r
  %z12 = ori.imm 0 : !ori.r
  %z13 = ori.imm 0 : !ori.r
  %z14 = ori.imm 0 : !ori.r
  %z15 = ori.imm 0 : !ori.r
  %c = ori.concat %z0, %z1, %z2, %z3, %z4, %z5, %z6, %z7, %z8, %z9, %z10, %z11, %z12, %z13, %z14, %z15 : (!ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<16>
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 32, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%c) : (!ori.r64, !ori.r64, !ori.acc<16>) -> !ori.acc<16>
  ori.wgmma.commit
  ori.wgmma.wait <count = 0> : () -> ()
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, u32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// A float from 0 by 1 up to 3, and one from 0 by 0.1 up to 2: 0.1 is rounded, and the sum of 20 of them is just above 2.
// CHECK-LABEL: ori.func @floats(
// CHECK-COUNT-3: ori.stg <b32> [%arg0]
// CHECK-COUNT-20: ori.stg <b32> [%arg0 + 4]
// CHECK-NOT: ori.stg
// CHECK: ori.ret
ori.func @floats(%q: !ori.r64) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1065353216 : !ori.r
  %three = ori.imm 1077936128 : !ori.r
  %tenth = ori.imm 1036831949 : !ori.r
  %two = ori.imm 1073741824 : !ori.r
  ori.bra ^first(%zero : !ori.r)
^first(%x: !ori.r):
  ori.stg <b32> [%q], %x : (!ori.r64, !ori.r) -> ()
  %next = ori.fadd %x, %one : (!ori.r, !ori.r) -> !ori.r
  %more = ori.fsetp <lt, and> %next, %three : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^first(%next : !ori.r), ^between : !ori.p
^between:
  %start = ori.imm 0 : !ori.r
  ori.bra ^second(%start : !ori.r)
^second(%y: !ori.r):
  ori.stg <b32> [%q + 4], %y : (!ori.r64, !ori.r) -> ()
  %sum = ori.fadd %y, %tenth : (!ori.r, !ori.r) -> !ori.r
  %on = ori.fsetp <gt, and> %two, %sum : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %on, ^second(%sum : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}

// The counter and a value in memory keep the loop running together: three copies, the first two of which end the loop
// if the value does. In the last one the counter does.
// CHECK-LABEL: ori.func @both(
// CHECK: ori.stg <b32> [%arg0 + 4]
// CHECK: %[[BOTH:.*]] = ori.plop3 <lut = 192>
// CHECK: ori.cond_bra %[[BOTH]], ^[[NEXT:bb[0-9]+]]({{.*}}), ^[[EXIT:bb[0-9]+]]
// CHECK: ^[[NEXT]](
// CHECK: ori.stg <b32> [%arg0 + 4]
// CHECK: ori.cond_bra %{{.*}}, ^[[LAST:bb[0-9]+]]({{.*}}), ^[[EXIT]]
// CHECK: ^[[LAST]](
// CHECK: ori.stg <b32> [%arg0 + 4]
// CHECK: ori.bra ^[[EXIT]]
// CHECK: ^[[EXIT]]:
ori.func @both(%q: !ori.r64) target "sm_90" {
  %zero = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %three = ori.imm 3 : !ori.r
  %true = ori.imm 1 : !ori.p
  ori.bra ^head(%zero : !ori.r)
^head(%i: !ori.r):
  %v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  ori.stg <b32> [%q + 4], %i : (!ori.r64, !ori.r) -> ()
  %on = ori.isetp <ne, s32, and> %v, %zero : (!ori.r, !ori.r) -> !ori.p
  %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %next, %three : (!ori.r, !ori.r) -> !ori.p
  %both = ori.plop3 <lut = 192> %on, %more, %true : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.cond_bra %both, ^head(%next : !ori.r), ^exit : !ori.p
^exit:
  ori.ret
}
