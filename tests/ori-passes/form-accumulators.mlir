// RUN: orison-opt --ori-form-accumulators %s | FileCheck %s
// RUN: orison-opt --ori-form-accumulators --ori-form-accumulators %s | FileCheck %s
//
// The form in which phases 85 and 87 expect accumulators.

// All parts of a product's result, in order, are the result; extracts stand before their users, and
// a wait passes on what is read after it.
// CHECK-LABEL: @chain(
// CHECK: %[[P:.*]] = ori.wgmma.mma
// CHECK-NEXT: %[[Q:.*]] = ori.wgmma.mma {{.*}} accumulator(%[[P]])
// CHECK-NEXT: ori.wgmma.commit
// CHECK-NEXT: %[[W:.*]] = ori.wgmma.wait <count = 0> accumulators(%[[Q]])
// CHECK-NEXT: %[[E:.*]] = ori.extract %[[W]][1]
// CHECK-NEXT: ori.stg <b32> [%{{.*}}], %[[E]]
ori.func kernel @chain() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  %p0 = ori.extract %p[0] : (!ori.acc<4>) -> !ori.r
  %p1 = ori.extract %p[1] : (!ori.acc<4>) -> !ori.r
  %p2 = ori.extract %p[2] : (!ori.acc<4>) -> !ori.r
  %p3 = ori.extract %p[3] : (!ori.acc<4>) -> !ori.r
  %c = ori.concat %p0, %p1, %p2, %p3 : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  %q = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%c) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  ori.wgmma.commit
  %w, %v = ori.wgmma.wait <count = 0> accumulators(%q, %p) : (!ori.acc<4>, !ori.acc<4>) -> (!ori.acc<4>, !ori.acc<4>)
  %w1 = ori.extract %w[1] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a], %w1 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// A permutation is no whole value.
// CHECK-LABEL: @permuted(
// CHECK: ori.concat
ori.func kernel @permuted() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  %p0 = ori.extract %p[0] : (!ori.acc<4>) -> !ori.r
  %p1 = ori.extract %p[1] : (!ori.acc<4>) -> !ori.r
  %p2 = ori.extract %p[2] : (!ori.acc<4>) -> !ori.r
  %p3 = ori.extract %p[3] : (!ori.acc<4>) -> !ori.r
  %c = ori.concat %p1, %p0, %p2, %p3 : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  %q = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%c) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%q) : (!ori.acc<4>) -> !ori.acc<4>
  %w1 = ori.extract %w[1] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a], %w1 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// Zeros of the block are no accumulator; a scale that compares constants is constant.
// CHECK-LABEL: @zero(
// CHECK: ori.wgmma.mma <{{.*}}> %{{[^,]*}}, %{{[^,]*}} : (!ori.r64, !ori.r64) -> !ori.acc<4>
ori.func kernel @zero() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  %z = ori.imm 0 : !ori.r
  %t = ori.isetp <eq, u32, and> %z, %z : (!ori.r, !ori.r) -> !ori.p
  %c = ori.concat %z, %z, %z, %z : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%c) scale(%t) : (!ori.r64, !ori.r64, !ori.acc<4>, !ori.p) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  %w1 = ori.extract %w[1] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a], %w1 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// Zeros of another block are registers.
// CHECK-LABEL: @zero_before(
// CHECK: accumulator(
ori.func kernel @zero_before() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  %z = ori.imm 0 : !ori.r
  ori.bra ^next
^next:
  %c = ori.concat %z, %z, %z, %z : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%c) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  %w1 = ori.extract %w[1] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a], %w1 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// Four parts around a loop are one block argument.
// CHECK-LABEL: @carried(
// CHECK: %[[C:.*]] = ori.concat
// CHECK: ori.bra ^bb1(%[[C]] : !ori.acc<4>)
// CHECK: ^bb1(%[[ARG:.*]]: !ori.acc<4>):
// CHECK: %[[P:.*]] = ori.wgmma.mma {{.*}} accumulator(%[[ARG]])
// CHECK: %[[W:.*]] = ori.wgmma.wait <count = 0> accumulators(%[[P]])
// CHECK: ori.cond_bra %{{.*}}, ^bb1(%[[W]] : !ori.acc<4>), ^bb2
ori.func kernel @carried() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  %i = ori.ldg <b32> [%a] : (!ori.r64) -> !ori.r
  ori.bra ^loop(%i, %i, %i, %i : !ori.r, !ori.r, !ori.r, !ori.r)
^loop(%x0: !ori.r, %x1: !ori.r, %x2: !ori.r, %x3: !ori.r):
  %c = ori.concat %x0, %x1, %x2, %x3 : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%c) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  %w0 = ori.extract %w[0] : (!ori.acc<4>) -> !ori.r
  %w1 = ori.extract %w[1] : (!ori.acc<4>) -> !ori.r
  %w2 = ori.extract %w[2] : (!ori.acc<4>) -> !ori.r
  %w3 = ori.extract %w[3] : (!ori.acc<4>) -> !ori.r
  %n = ori.ldg <b32> [%a + 8] : (!ori.r64) -> !ori.r
  %z = ori.imm 0 : !ori.r
  %t = ori.isetp <eq, u32, and> %n, %z : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %t, ^loop(%w0, %w1, %w2, %w3 : !ori.r, !ori.r, !ori.r, !ori.r), ^end : !ori.p
^end:
  ori.stg <b32> [%a], %w1 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// Equal products are one; not if shared memory may be written between them. An unused product is
// erased.
// CHECK-LABEL: @equal(
// CHECK: ori.wgmma.fence
// CHECK-NEXT: ori.wgmma.mma
// CHECK-NOT: ori.wgmma.mma
// CHECK: ori.bar
// CHECK: ori.wgmma.mma
// CHECK-NOT: ori.wgmma.mma
// CHECK: ori.exit
ori.func kernel @equal() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  %q = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  %u = ori.wgmma.mma <columns = 8, depth = 32, fp8, left_format = e4m3, right_format = e4m3, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  ori.bar <sync, index = 0>
  %r = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  ori.wgmma.commit
  %w:3 = ori.wgmma.wait <count = 0> accumulators(%p, %q, %r) : (!ori.acc<4>, !ori.acc<4>, !ori.acc<4>) -> (!ori.acc<4>, !ori.acc<4>, !ori.acc<4>)
  %w0 = ori.extract %w#0[1] : (!ori.acc<4>) -> !ori.r
  %w1 = ori.extract %w#1[1] : (!ori.acc<4>) -> !ori.r
  %w2 = ori.extract %w#2[1] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a], %w0 : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%a + 4], %w1 : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%a + 8], %w2 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// What a product takes is put together in front of the fence, where the parts are known there: the
// fence orders the copies that register allocation may make. A part from behind the fence stays there.
// CHECK-LABEL: @before_fence(
// CHECK: %[[S:.*]] = ori.fmul
// CHECK: %[[C:.*]] = ori.concat %{{[^,]*}}, %[[S]], %{{[^,]*}}, %{{[^ ]*}} : {{.*}} -> !ori.acc<4>
// CHECK-NEXT: ori.wgmma.fence
// CHECK-NEXT: %[[P:.*]] = ori.wgmma.mma {{.*}} accumulator(%[[C]])
// CHECK: ori.wgmma.fence
// CHECK-NEXT: %[[L:.*]] = ori.ldg
// CHECK-NEXT: %[[D:.*]] = ori.concat %[[L]]
// CHECK-NEXT: ori.wgmma.mma {{.*}} accumulator(%[[D]])
ori.func kernel @before_fence() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  %z = ori.imm 0 : !ori.r
  %x = ori.ldg <b32> [%a] : (!ori.r64) -> !ori.r
  %s = ori.fmul %x, %x : (!ori.r, !ori.r) -> !ori.r
  ori.wgmma.fence
  %c = ori.concat %z, %s, %x, %s : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%c) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  %w1 = ori.extract %w[1] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a], %w1 : (!ori.r64, !ori.r) -> ()
  ori.wgmma.fence
  %l = ori.ldg <b32> [%a + 4] : (!ori.r64) -> !ori.r
  %e = ori.concat %l, %s, %x, %s : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  %q = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%e) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  ori.wgmma.commit
  %v = ori.wgmma.wait <count = 0> accumulators(%q) : (!ori.acc<4>) -> !ori.acc<4>
  %v1 = ori.extract %v[1] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 8], %v1 : (!ori.r64, !ori.r) -> ()
  ori.exit
}
