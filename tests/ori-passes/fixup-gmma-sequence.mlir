// RUN: orison-opt --split-input-file --verify-diagnostics --ori-fixup-gmma-sequence %s -o - | FileCheck %s
//
// The injections of phase 87, and the causes for which it serializes.

// A clean stage stays as it is.
// CHECK-LABEL: @clean(
// CHECK: ori.wgmma.fence {ori.gmma.stage = 0 : i32}
// CHECK-NEXT: ori.wgmma.mma
// CHECK-NEXT: ori.wgmma.commit
// CHECK-NEXT: ori.wgmma.wait
// CHECK-NOT: ori.warpgroup
ori.func kernel @clean() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  %sw0 = ori.extract %w[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1024], %sw0 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// No fence: an arrive is injected before the product.
// CHECK-LABEL: @no_fence(
// CHECK: ori.warpgroup.arrive {ori.gmma.stage = 0 : i32}
// CHECK-NEXT: ori.wgmma.mma
ori.func kernel @no_fence() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  // expected-remark-re @+1 {{(C7519) warpgroup.arrive is injected in around line {{[0-9]+}} by compiler to allow use of registers in GMMA in function 'no_fence'}}
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  %sw0 = ori.extract %w[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1024], %sw0 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// An accumulator is loaded after the fence.
// CHECK-LABEL: @late_load(
// CHECK: ori.wgmma.fence
// CHECK: ori.ldg
// CHECK: ori.warpgroup.arrive {ori.gmma.stage = 1 : i32}
// CHECK-NEXT: ori.wgmma.mma
ori.func kernel @late_load() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %i0 = ori.ldg <b32> [%a + 0] : (!ori.r64) -> !ori.r
  %i1 = ori.ldg <b32> [%a + 4] : (!ori.r64) -> !ori.r
  %i2 = ori.ldg <b32> [%a + 8] : (!ori.r64) -> !ori.r
  %i3 = ori.ldg <b32> [%a + 12] : (!ori.r64) -> !ori.r
  %c = ori.concat %i0, %i1, %i2, %i3 : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  // expected-remark-re @+1 {{(C7519) warpgroup.arrive is injected in around line {{[0-9]+}} by compiler to allow use of registers in GMMA in function 'late_load'}}
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%c) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  %sw0 = ori.extract %w[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1024], %sw0 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// Nothing commits the product: its group is closed before the wait.
// CHECK-LABEL: @no_commit(
// CHECK: ori.wgmma.mma
// CHECK-NEXT: ori.warpgroup.commit {ori.gmma.stage = 0 : i32}
// CHECK-NEXT: ori.wgmma.wait
ori.func kernel @no_commit() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  %w = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  %sw0 = ori.extract %w[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1024], %sw0 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// 7514: an accumulator is read between two products of a group.
// CHECK-LABEL: @read(
// CHECK-NOT: ori.wgmma.fence
// CHECK: ori.warpgroup.arrive
// CHECK-NEXT: ori.wgmma.mma
// CHECK-NEXT: ori.warpgroup.commit
// CHECK-NEXT: ori.warpgroup.wait <count = 0
ori.func kernel @read() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  %sp0 = ori.extract %p[0] : (!ori.acc<4>) -> !ori.r
  // expected-warning @+1 {{(C7514) Potential Performance Loss: wgmma.mma_async instructions are serialized due to non wgmma instructions reading accumulator registers of  a wgmma between start and end of the pipeline stage in the function 'read'}}
  ori.stg <b32> [%a + 1024], %sp0 : (!ori.r64, !ori.r) -> ()
  %q = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%p) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%q) : (!ori.acc<4>) -> !ori.acc<4>
  %sw4 = ori.extract %w[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1028], %sw4 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// 7515: an accumulator is written before the wait, where a predicate holds.
// CHECK-LABEL: @written(
// CHECK-NOT: ori.wgmma.fence
// CHECK: ori.warpgroup.arrive
// CHECK-NEXT: ori.wgmma.mma
// CHECK-NEXT: ori.warpgroup.commit
// CHECK-NEXT: ori.warpgroup.wait <count = 0
ori.func kernel @written() target "sm_90a" {
  %n = ori.cbank[0, 544] : !ori.r
  %z = ori.imm 3 : !ori.r
  %t = ori.isetp <eq, u32, and> %n, %z : (!ori.r, !ori.r) -> !ori.p
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  %i0 = ori.ldg <b32> [%a + 0] : (!ori.r64) -> !ori.r
  %i1 = ori.ldg <b32> [%a + 4] : (!ori.r64) -> !ori.r
  %i2 = ori.ldg <b32> [%a + 8] : (!ori.r64) -> !ori.r
  %i3 = ori.ldg <b32> [%a + 12] : (!ori.r64) -> !ori.r
  %c = ori.concat %i0, %i1, %i2, %i3 : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%c) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  ori.wgmma.commit
  %e0 = ori.extract %p[0] : (!ori.acc<4>) -> !ori.r
  %g = ori.ldg <b32> [%a + 64] if %t else %e0 : (!ori.r64, !ori.p, !ori.r) -> !ori.r
  // expected-warning @+1 {{(C7515) Potential Performance Loss: wgmma.mma_async instructions are serialized due to non wgmma instructions defining accumulator registers of a wgmma between start and end of the pipeline stage in the function 'written'}}
  %w = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  ori.stg <b32> [%a + 1024], %g : (!ori.r64, !ori.r) -> ()
  %sw4 = ori.extract %w[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1028], %sw4 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// 7511: the registers of the second accumulator are those of the first in another order.
// CHECK-LABEL: @permuted(
// CHECK-NOT: ori.wgmma.fence
// CHECK: ori.warpgroup.arrive
// CHECK-NEXT: ori.wgmma.mma
// CHECK-NEXT: ori.warpgroup.commit
// CHECK-NEXT: ori.warpgroup.wait <count = 0
ori.func kernel @permuted() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  %i0 = ori.ldg <b32> [%a + 0] : (!ori.r64) -> !ori.r
  %i1 = ori.ldg <b32> [%a + 4] : (!ori.r64) -> !ori.r
  %i2 = ori.ldg <b32> [%a + 8] : (!ori.r64) -> !ori.r
  %i3 = ori.ldg <b32> [%a + 12] : (!ori.r64) -> !ori.r
  %c = ori.concat %i0, %i1, %i2, %i3 : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  ori.wgmma.fence
  // expected-warning @+1 {{(C7511) Potential Performance Loss: wgmma.mma_async instructions are serialized due to insufficient register resources for the wgmma pipeline in the function 'permuted'}}
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%c) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  %e0 = ori.extract %w[0] : (!ori.acc<4>) -> !ori.r
  %e1 = ori.extract %w[1] : (!ori.acc<4>) -> !ori.r
  %e2 = ori.extract %w[2] : (!ori.acc<4>) -> !ori.r
  %e3 = ori.extract %w[3] : (!ori.acc<4>) -> !ori.r
  %x = ori.concat %e1, %e0, %e2, %e3 : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  ori.wgmma.fence
  %q = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%x) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  ori.wgmma.commit
  %v = ori.wgmma.wait <count = 0> accumulators(%q) : (!ori.acc<4>) -> !ori.acc<4>
  %sv0 = ori.extract %v[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1024], %sv0 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// 7520: the arrive would be in a branch that not all threads take.
// CHECK-LABEL: @divergent_arrive(
// CHECK-NOT: ori.wgmma.fence
// CHECK: ori.warpgroup.arrive
// CHECK-NEXT: ori.wgmma.mma
// CHECK-NEXT: ori.warpgroup.commit
// CHECK-NEXT: ori.warpgroup.wait <count = 0
ori.func kernel @divergent_arrive() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  %t = ori.s2r <register = "SR_TID.X"> : !ori.r
  %z = ori.imm 3 : !ori.r
  %q = ori.isetp <lt, u32, and> %t, %z : (!ori.r, !ori.r) -> !ori.p
  ori.wgmma.fence
  ori.cond_bra %q, ^then, ^end : !ori.p
^then:
  // expected-warning @+1 {{(C7520) Potential Performance Loss: wgmma.mma_async instructions are serialized due to program dependence on compiler-inserted WG.AR in divergent path in the function 'divergent_arrive'}}
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  %sw0 = ori.extract %w[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1024], %sw0 : (!ori.r64, !ori.r) -> ()
  ori.bra ^end
^end:
  ori.exit
}

// -----

// 7509: the function calls one that is not known.
// CHECK-LABEL: @calls(
// CHECK-NOT: ori.wgmma.fence
// CHECK: ori.warpgroup.arrive
// CHECK-NEXT: ori.wgmma.mma
// CHECK-NEXT: ori.warpgroup.commit
// CHECK-NEXT: ori.warpgroup.wait <count = 0
ori.func @unknown() target "sm_90a" attributes {sym_visibility = "private"}
ori.func kernel @calls() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  %sw0 = ori.extract %w[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1024], %sw0 : (!ori.r64, !ori.r) -> ()
  // expected-warning @+1 {{(C7509) Potential Performance Loss: wgmma.mma_async instructions are serialized due to the presence of Extern calls in the function 'calls'}}
  ori.call @unknown() : () -> ()
  ori.exit
}

// -----

// 7510: both the function and one that it calls have products.
// CHECK-LABEL: @callee(
ori.func @callee() target "sm_90a" attributes {sym_visibility = "private"} {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  %sw0 = ori.extract %w[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1024], %sw0 : (!ori.r64, !ori.r) -> ()
  ori.ret
}
// CHECK-LABEL: @caller(
// CHECK-NOT: ori.wgmma.fence
// CHECK: ori.warpgroup.arrive
// CHECK-NEXT: ori.wgmma.mma
// CHECK-NEXT: ori.warpgroup.commit
// CHECK-NEXT: ori.warpgroup.wait <count = 0
ori.func kernel @caller() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  %sw0 = ori.extract %w[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1024], %sw0 : (!ori.r64, !ori.r) -> ()
  // expected-warning @+1 {{(C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to wgmma pipeline crossing function boundary at a function call in the function 'caller'}}
  ori.call @callee() : () -> ()
  ori.exit
}

// -----

// 7508: the registers at the entry are not known.
// CHECK-LABEL: @setmaxnreg(
// CHECK: ori.wgmma.fence
ori.func kernel @setmaxnreg() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  // expected-remark @+1 {{(C7508) Potential Performance Loss: 'setmaxnreg' ignored; unable to determine register count at entry.}}
  ori.setmaxreg <inc, count = 232>
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  %sw0 = ori.extract %w[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1024], %sw0 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// Optimized code has one zero for all words of two accumulators. It has no name, so that it is in no
// register of a product: it is copied where the accumulators begin, and nothing is serialized.
// CHECK-LABEL: @one_zero(
// CHECK: ^bb1({{.*}} %[[A:.*]]: !ori.acc<4>, %[[B:.*]]: !ori.acc<4>):
// CHECK-NEXT: ori.wgmma.fence
// CHECK-NEXT: ori.wgmma.mma {{.*}} accumulator(%[[A]])
// CHECK-NEXT: ori.wgmma.mma {{.*}} accumulator(%[[B]])
// CHECK-NEXT: ori.wgmma.commit
// CHECK-NEXT: ori.wgmma.wait <count = 1>
ori.func kernel @one_zero() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  %n = ori.cbank[0, 544] : !ori.r
  %z = ori.imm 0 : !ori.r
  %one = ori.imm 1 : !ori.r
  %c = ori.concat %z, %z, %z, %z : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  ori.bra ^bb1(%z, %c, %c : !ori.r, !ori.acc<4>, !ori.acc<4>)
^bb1(%i: !ori.r, %f: !ori.acc<4>, %g: !ori.acc<4>):
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%f) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  %q = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %a accumulator(%g) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  ori.wgmma.commit
  ori.wgmma.wait <count = 1>
  %j = ori.iadd3 %i, %one, %z : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %more = ori.isetp <lt, s32, and> %j, %n : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %more, ^bb1(%j, %p, %q : !ori.r, !ori.acc<4>, !ori.acc<4>), ^bb2 : !ori.p
^bb2:
  %w:2 = ori.wgmma.wait <count = 0> accumulators(%p, %q) : (!ori.acc<4>, !ori.acc<4>) -> (!ori.acc<4>, !ori.acc<4>)
  %w0 = ori.extract %w#0[0] : (!ori.acc<4>) -> !ori.r
  %w1 = ori.extract %w#1[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a], %w0 : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%a + 4], %w1 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// One result that two products take must be copied while it is in flight.
// CHECK-LABEL: @two_takers(
ori.func kernel @two_takers() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  // expected-warning @+1 {{(C7511) Potential Performance Loss: wgmma.mma_async instructions are serialized due to insufficient register resources for the wgmma pipeline in the function 'two_takers'}}
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  %p0 = ori.extract %p[0] : (!ori.acc<4>) -> !ori.r
  %c = ori.concat %p0, %p0, %p0, %p0 : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  %q = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %a accumulator(%c) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%q) : (!ori.acc<4>) -> !ori.acc<4>
  %w0 = ori.extract %w[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a], %w0 : (!ori.r64, !ori.r) -> ()
  ori.exit
}
