// Operations between the threads of a warp and of a CTA; special registers; conversions.
//
// RUN: orison-translate --ptx-to-ori --counts %s 2>&1 | FileCheck %s
// CHECK: instructions, 0 as 'ori.inst'
.version 8.8
.target sm_90a
.address_size 64

// CHECK-LABEL: @threads(
.entry threads(.param .u32 a, .param .u64 q) {
  .reg .b32 %a, %m, %x, %y; .reg .b64 %q, %l; .reg .pred %p, %r;
  ld.param.u32 %a, [a]; ld.param.u64 %q, [q];
  // CHECK: %[[ALL:.*]] = ori.imm 1 : !ori.p
  // CHECK: %[[MASK:.*]] = ori.vote <any> %[[ALL]]
  activemask.b32 %m;
  // CHECK: ori.warpsync mask(%[[MASK]])
  // CHECK: %[[SAME:.*]] = ori.match <any>
  match.any.sync.b32 %x, %a, %m;
  // CHECK: %[[LANES:.*]]:2 = ori.match <all> %{{.*}} : (!ori.r64) -> (!ori.r, !ori.p)
  cvt.u64.u32 %l, %a;
  match.all.sync.b64 %y|%p, %l, 0xffffffff;
  // A register of the warp becomes one of the thread.
  // CHECK: %[[SUM:.*]] = ori.redux <sum, s32> %[[A:.*]] : (!ori.r) -> !ori.ur
  // CHECK: ori.mov %[[SUM]]
  redux.sync.add.s32 %x, %a, 0xffffffff;
  // CHECK: ori.shfl <down> %[[A]], %{{.*}} if %[[LANES]]#1 else %
  @%p shfl.sync.down.b32 %x, %a, 1, 31, 0xffffffff;
  // CHECK: ori.bar <reduce, index = 1, popc> predicate(not %[[LANES]]#1)
  bar.red.popc.u32 %y, 1, !%p;
  // CHECK: ori.bar <arrive, index = 2> threads(
  barrier.cta.arrive 2, 64;
  // CHECK: ori.nanosleep
  nanosleep.u32 %y;
  add.u32 %x, %x, %y;
  st.global.u32 [%q], %x;
  ret;
}

// Indices and extents of threads and CTAs are special registers or constant-bank values.
// CHECK-LABEL: @surroundings(
.entry surroundings(.param .u64 q) {
  .reg .b32 %x<6>; .reg .b64 %q, %c; .reg .pred %p;
  ld.param.u64 %q, [q];
  // CHECK: ori.s2r <register = "SR_LTMASK">
  mov.u32 %x0, %lanemask_lt;
  // CHECK: %[[THREAD:.*]] = ori.s2r <register = "SR_VIRTID">
  // CHECK: ori.shf <right, u32, high> %{{.*}}, %{{.*}}, %[[THREAD]]
  mov.u32 %x1, %warpid;
  // CHECK: ori.cs2r <register = "SR_CLOCKLO", wide> : !ori.r64
  mov.u64 %c, %clock64;
  // CHECK: ori.cbank[0, 16] : !ori.r
  mov.u32 %x2, %nctaid.y;
  // The CTA's index divided by the cluster's extent.
  // CHECK: ori.s2r <register = "SR_CTAID.X">
  // CHECK: ori.cbank[0, 324]
  // CHECK: ori.i2f <to = f32, from = u32, rp>
  mov.u32 %x3, %clusterid.x;
  st.global.v4.u32 [%q], {%x0, %x1, %x2, %x3};
  st.global.u64 [%q+16], %c;
  ret;
}

// CHECK-LABEL: @conversions(
.entry conversions(.param .f32 f, .param .f64 d, .param .s64 l, .param .u64 q) {
  .reg .f32 %f, %g; .reg .f64 %d; .reg .b64 %l, %q, %m; .reg .b32 %x, %y; .reg .b16 %h;
  ld.param.f32 %f, [f]; ld.param.f64 %d, [d]; ld.param.s64 %l, [l]; ld.param.u64 %q, [q];
  // CHECK: ori.frnd <f32, floor, ftz>
  cvt.rmi.ftz.f32.f32 %g, %f;
  // CHECK: ori.f2f <to = f32, from = f64, rz, double>
  cvt.rz.f32.f64 %g, %d;
  // CHECK: ori.f2i <to = s64, from = f64, trunc, double>
  cvt.rzi.s64.f64 %m, %d;
  // CHECK: ori.i2fp <s32, rm>
  cvt.rm.f32.s32 %g, %x;
  // CHECK: ori.i2i <to = u8, from = s32, saturate>
  cvt.sat.u8.s32 %x, %x;
  // Two comparisons and selections per bound.
  // CHECK: ori.isetp <lt, s32, extended, and>
  // CHECK-COUNT-2: ori.sel
  // CHECK: ori.isetp <gt, s32, extended, and>
  // CHECK-COUNT-2: ori.sel
  cvt.sat.s32.s64 %y, %l;
  // CHECK: ori.f2fp <to = e4m3, from = f32, satfinite>
  cvt.rn.satfinite.e4m3x2.f32 %h, %f, %g;
  // CHECK: ori.f2fp_unpack <to = f16, from = e4m3>
  cvt.rn.f16x2.e4m3x2 %x, %h;
  // Half of the last place that stays, where it is a number.
  // CHECK: ori.fsetp <geu, and> abs %
  // CHECK: ori.imm -8192
  cvt.rna.tf32.f32 %y, %f;
  // CHECK: ori.i2ip <to = s16, from = s32>
  cvt.pack.sat.s16.s32 %x, %x, %y;
  st.global.u32 [%q], %x;
  st.global.u64 [%q+8], %m;
  ret;
}
