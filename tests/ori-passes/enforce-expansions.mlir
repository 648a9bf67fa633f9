// Operations that the machine lacks.
//
// RUN: orison-opt %s --ori-enforce-argument-restrictions | FileCheck %s

// CHECK-LABEL: @sums_80(
// CHECK-NOT: ori.viadd
// CHECK: ori.iadd3 %arg0, %arg1, %
// CHECK: ori.imnmx <s32>
// CHECK: %[[TWO:.*]] = ori.imnmx <u32> %arg0, %arg1, %
// CHECK: ori.imnmx <u32> %[[TWO]], %arg2, %
// CHECK: %[[SUM:.*]] = ori.iadd3 %arg0, %arg1, %
// CHECK: %[[MIN:.*]] = ori.imnmx <s32> %[[SUM]], %arg2, %
// CHECK: ori.imnmx <s32> %[[MIN]], %{{.*}}, %
ori.func @sums_80(%a: !ori.r, %b: !ori.r, %c: !ori.r, %p: !ori.p) -> (!ori.r, !ori.r, !ori.r, !ori.r) target "sm_80" {
  %w = ori.viadd %a, %b : (!ori.r, !ori.r) -> !ori.r
  %x = ori.vimnmx <s32> %a, %b, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %y = ori.vimnmx3 <max, u32> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %z = ori.viaddmnmx <min, s32, relu> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %w, %x, %y, %z : !ori.r, !ori.r, !ori.r, !ori.r
}

// CHECK-LABEL: @sums_90(
// CHECK: ori.viadd %
// CHECK: ori.iadd3 neg %
// CHECK: ori.vimnmx <s32>
// CHECK: ori.vimnmx3 <max, u32>
ori.func @sums_90(%a: !ori.r, %b: !ori.r, %c: !ori.r, %p: !ori.p) -> (!ori.r, !ori.r, !ori.r, !ori.r) target "sm_90" {
  %w = ori.viadd %a, %b : (!ori.r, !ori.r) -> !ori.r
  %v = ori.viadd neg %a, %b : (!ori.r, !ori.r) -> !ori.r
  %x = ori.imnmx <s32> %a, %b, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %y = ori.vimnmx3 <max, u32> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %w, %v, %x, %y : !ori.r, !ori.r, !ori.r, !ori.r
}

// sm_120 has no extrema of three, and no absolute difference.
// CHECK-LABEL: @sums_120(
// CHECK: %[[TWO:.*]] = ori.vimnmx <s32> %arg0, %arg1
// CHECK: ori.vimnmx <s32> %[[TWO]], %arg2
// CHECK: %[[MAX:.*]] = ori.vimnmx <u32> %arg0, %arg1
// CHECK: %[[MIN:.*]] = ori.vimnmx <u32> %arg0, %arg1
// CHECK: ori.iadd3 %[[MAX]], neg %[[MIN]], %arg2
ori.func @sums_120(%a: !ori.r, %b: !ori.r, %c: !ori.r) -> (!ori.r, !ori.r) target "sm_120" {
  %y = ori.vimnmx3 <max, s32> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %z = ori.vabsdiff <u32> %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %y, %z : !ori.r, !ori.r
}

// CHECK-LABEL: @floats_89(
// CHECK: ori.hfma2 <f16>
// CHECK-COUNT-2: ori.fadd <ftz> %{{.*}}, neg %
// CHECK: ori.concat
// CHECK: ori.i2fp <s32>
// CHECK: ori.i2f <to = f32, from = u32, rp>
ori.func @floats_89(%a: !ori.r, %d: !ori.r64, %e: !ori.r64) -> (!ori.r, !ori.r64, !ori.r, !ori.r) target "sm_89" {
  %x = ori.hfma2_mma <f16> %a, %a, %a : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %y = ori.fadd2 <ftz> %d, neg %e : (!ori.r64, !ori.r64) -> !ori.r64
  %z = ori.i2f <to = f32, from = s32> %a : (!ori.r) -> !ori.r
  %w = ori.i2f <to = f32, from = u32, rp> %a : (!ori.r) -> !ori.r
  ori.ret %x, %y, %z, %w : !ori.r, !ori.r64, !ori.r, !ori.r
}

// CHECK-LABEL: @floats_75(
// CHECK: %[[HIGH:.*]] = ori.f2f <to = f16, from = f32> %arg0
// CHECK: %[[LOW:.*]] = ori.f2f <to = f16, from = f32> %arg1
// CHECK: ori.prmt <idx> %[[LOW]], %{{.*}}, %[[HIGH]]
// CHECK: ori.i2f <to = f32, from = s32>
ori.func @floats_75(%a: !ori.r, %b: !ori.r) -> (!ori.r, !ori.r) target "sm_75" {
  %x = ori.f2fp <to = f16, from = f32> %a, %b : (!ori.r, !ori.r) -> !ori.r
  %z = ori.i2fp <s32> %a : (!ori.r) -> !ori.r
  ori.ret %x, %z : !ori.r, !ori.r
}

// All bytes or none, by the predicates of the selections; any other number by the low bits of the
// address.
// CHECK-LABEL: @copies(
// CHECK: %[[BOTH:.*]] = ori.plop3 <lut = 128> not %arg4, %arg3, %
// CHECK: ori.ldgsts <b128> [%arg0], [%arg1] copied(%[[BOTH]]) descriptor(%{{.*}}) :
// CHECK: ori.ldgsts <b128> [%arg0], [%arg1] descriptor(
// CHECK: %[[SOME:.*]] = ori.isetp <ne, u32, and> %arg2,
// CHECK: %[[REST:.*]] = ori.iadd3 neg %arg2,
// CHECK: ori.lop3 <lut = 192> %[[REST]]
// CHECK: ori.iadd3 <extended>
// CHECK: ori.ldgsts <b128, zero_fill> [%arg0], [%{{.*}}] copied(%[[SOME]])
ori.func @copies(%s: !ori.r, %a: !ori.r64, %n: !ori.r, %p: !ori.p, %q: !ori.p) target "sm_80" {
  %all = ori.imm 16 : !ori.r
  %none = ori.imm 0 : !ori.r
  %x = ori.sel %all, %none, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %y = ori.sel %none, %x, %q : (!ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ldgsts <b128> [%s], [%a] size(%y) : (!ori.r, !ori.r64, !ori.r) -> ()
  ori.ldgsts <b128> [%s], [%a] size(%all) : (!ori.r, !ori.r64, !ori.r) -> ()
  ori.ldgsts <b128> [%s], [%a] size(%n) : (!ori.r, !ori.r64, !ori.r) -> ()
  ori.ret
}

// The number of arrivals that are missing, in two fields; the parity of a phase in the top bit, or
// the high word of a state.
// CHECK-LABEL: @mbarriers_90(
// CHECK: %[[MISSING:.*]] = ori.uiadd3 neg %{{.*}}, %
// CHECK: %[[LOW:.*]] = ori.ushf <left, u32> %[[MISSING]]
// CHECK: %[[HIGH:.*]] = ori.ushf <left, u32> %[[MISSING]]
// CHECK: %[[VALUE:.*]] = ori.concat %[[LOW]], %[[HIGH]]
// CHECK: %[[AT:.*]] = ori.r2ur %arg0
// CHECK: ori.voteu <any> %arg3
// CHECK: ori.syncs <init> [%[[AT]]] count(%[[VALUE]]) if %
// CHECK: %[[SIGN:.*]] = ori.shf <left, u32> %arg1
// CHECK: ori.syncs_try_wait [%arg0], %[[SIGN]]
// CHECK: %[[WORD:.*]] = ori.extract %arg2[1]
// CHECK: ori.syncs_try_wait <test> [%arg0], %[[WORD]]
ori.func @mbarriers_90(%s: !ori.r, %n: !ori.r, %state: !ori.r64, %p: !ori.p) -> (!ori.p, !ori.p) target "sm_90" {
  ori.syncs <init> [%s] count(%n) if %p : (!ori.r, !ori.r, !ori.p) -> ()
  %x = ori.syncs_try_wait [%s], %n : (!ori.r, !ori.r) -> !ori.p
  %y = ori.syncs_try_wait <test> [%s], %state : (!ori.r, !ori.r64) -> !ori.p
  ori.ret %x, %y : !ori.p, !ori.p
}

// sm_100 has extrema of the warp as an instruction of their own.
// CHECK-LABEL: @reductions_100(
// CHECK: ori.credux <min, s32>
ori.func @reductions_100(%n: !ori.r) -> !ori.ur target "sm_100" {
  %x = ori.redux <min, s32> %n : (!ori.r) -> !ori.ur
  ori.ret %x : !ori.ur
}

// More registers are asked for until they are there; before sm_100 the branch is one of each thread.
// CHECK-LABEL: @registers_90(
// CHECK: ori.bra ^bb1
// CHECK: ^bb1:
// CHECK: %[[DONE:.*]] = ori.setmaxreg <inc, count = 232> : !ori.up
// CHECK: %[[P:.*]] = ori.plop3 <lut = 128> {{.*}}, %[[DONE]]
// CHECK: ori.cond_bra <uniform> %[[P]], ^bb2, ^bb1
// CHECK: ^bb2:
// CHECK: ori.setmaxreg <dec, count = 40>
ori.func @registers_90() target "sm_90a" {
  ori.setmaxreg <inc, count = 232>
  ori.setmaxreg <dec, count = 40>
  ori.ret
}

// CHECK-LABEL: @table(
// CHECK: %[[PLACE:.*]] = ori.shf <left, u32> %arg0
// CHECK: %[[LOW:.*]] = ori.ldc <b32, bank = 2> [%[[PLACE]]]
// CHECK: %[[HIGH:.*]] = ori.shf <right, s32, high> %{{.*}}, %{{.*}}, %[[LOW]]
// CHECK: %[[TO:.*]] = ori.concat %[[LOW]], %[[HIGH]]
// CHECK: ori.brx %[[TO]], [
ori.func @table(%i: !ori.r) target "sm_80" {
  ori.brx %i, [^bb1, ^bb2] : !ori.r
^bb1:
  ori.ret
^bb2:
  ori.ret
}

// Descriptors of a product are in four registers, blocks of copies in consecutive ones.
// CHECK-LABEL: @blocks(
// CHECK: ori.r2ur %{{.*}} -> !ori.ur<UR4>
// CHECK: ori.r2ur %{{.*}} -> !ori.ur<UR5>
// CHECK: %[[A:.*]] = ori.concat {{.*}} -> !ori.ur64<UR4>
// CHECK: %[[B:.*]] = ori.concat {{.*}} -> !ori.ur64<UR6>
// CHECK: ori.wgmma.mma {{.*}} %[[A]], %[[B]] :
// CHECK: %[[S:.*]] = ori.umov %arg2 : (!ori.ur) -> !ori.ur<UR8>
// CHECK: %[[M:.*]] = ori.umov %arg3 : (!ori.ur) -> !ori.ur<UR9>
// CHECK: %[[C:.*]] = ori.umov %arg3 : (!ori.ur) -> !ori.ur<UR10>
// CHECK: ori.utmaldg <dimensions = 1> %arg1, %[[S]], %[[M]] coordinates(%[[C]])
ori.func @blocks(%d: !ori.r64, %map: !ori.ur64, %s: !ori.ur, %m: !ori.ur) -> !ori.acc<4> target "sm_90a" {
  %x = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  ori.utmaldg <dimensions = 1> %map, %s, %m coordinates(%m) : (!ori.ur64, !ori.ur, !ori.ur, !ori.ur) -> ()
  ori.ret %x : !ori.acc<4>
}

// The descriptor of shapes is the high half of a pair; an allocation is tried until it succeeds, a bit
// for 32 columns; what is freed is the complement of a mask.
// CHECK-LABEL: @tensor(
// CHECK: %[[BITS:.*]] = ori.ushf <right, u32, high> {{.*}}, %arg2
// CHECK: ^bb1:
// CHECK: %[[TRY:.*]]:2 = ori.tcgen05.alloc %[[BITS]] : (!ori.ur) -> (!ori.ur, !ori.up)
// CHECK: ori.cond_bra <uniform> %[[TRY]]#1, ^bb3, ^bb2
// CHECK: ^bb2:
// CHECK: ori.nanosleep
// CHECK: ori.bra ^bb1
// CHECK: ^bb3:
// CHECK: %[[AT:.*]] = ori.ushf <left, u32> %[[TRY]]#0
// CHECK: %[[PAIR:.*]] = ori.concat
// CHECK: ori.tcgen05.mma <f16> %arg0, %arg0, %[[AT]], %[[PAIR]]
// CHECK: %[[MASK:.*]] = ori.ulop3 <lut = 51>
// CHECK: ori.tcgen05.dealloc %[[MASK]] :
ori.func @tensor(%d: !ori.ur64, %i: !ori.ur, %n: !ori.ur) target "sm_100a" {
  %at = ori.tcgen05.alloc %n : (!ori.ur) -> !ori.ur
  ori.tcgen05.mma <f16> %d, %d, %at, %i : (!ori.ur64, !ori.ur64, !ori.ur, !ori.ur) -> ()
  ori.tcgen05.dealloc %at columns(%n) : (!ori.ur, !ori.ur) -> ()
  ori.ret
}

// Half of the accesses with priority 4, the others with 2: 0x1570 in the high half.
// CHECK-LABEL: @policy(
// CHECK: ori.imm 359661568
ori.func @policy(%a: !ori.r64) target "sm_80" {
  %half = ori.imm 1056964608 : !ori.r
  %p = ori.createpolicy <eviction = evict_last, other_eviction = evict_first> %half : (!ori.r) -> !ori.r64
  %x = ori.ldg <b32> [%a] policy(%p) : (!ori.r64, !ori.r64) -> !ori.r
  ori.ret
}
