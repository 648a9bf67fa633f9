// Asynchronous products: accumulators are read from the results of the wait.
//
// RUN: orison-translate --ptx-to-ori --counts %s 2>&1 | FileCheck %s
// CHECK: instructions, 0 as 'ori.inst'
.version 8.8
.target sm_90a
.address_size 64

// CHECK-LABEL: @group(
.entry group(.param .u64 a, .param .u64 b, .param .u64 q) {
  .reg .b64 %a, %b, %q; .reg .f32 %d<4>; .reg .pred %p;
  ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; ld.param.u64 %q, [q];
  mov.f32 %d0, 0f00000000; mov.f32 %d1, 0f00000000; mov.f32 %d2, 0f00000000; mov.f32 %d3, 0f00000000;
  // CHECK: ori.wgmma.fence
  wgmma.fence.sync.aligned;
  // CHECK: %[[SUM:.*]] = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32, transpose_right> %[[A:.*]], neg %[[B:.*]] accumulator(%{{.*}}) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %a, %b, 1, 1, -1, 0, 1;
  // CHECK: ori.wgmma.commit
  wgmma.commit_group.sync.aligned;
  // CHECK: %[[OPEN:.*]] = ori.concat
  // CHECK: %[[DONE:.*]] = ori.wgmma.wait <count = 0> accumulators(%[[OPEN]]) : (!ori.acc<4>) -> !ori.acc<4>
  wgmma.wait_group.sync.aligned 0;
  // CHECK: ori.extract %[[DONE]][0]
  // CHECK: ori.stg <b32>
  st.global.f32 [%q], %d0;
  // No product is pending: the wait has no results.
  // CHECK: ori.wgmma.wait <count = 0>{{$}}
  wgmma.wait_group.sync.aligned 0;
  ret;
}

// In a loop: a block argument may be pending.
// CHECK-LABEL: @loop(
.entry loop(.param .u64 a, .param .u64 b, .param .u32 n, .param .u64 q) {
  .reg .b64 %a, %b, %q; .reg .f32 %d<4>; .reg .pred %more; .reg .b32 %i;
  ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; ld.param.u32 %i, [n]; ld.param.u64 %q, [q];
  mov.f32 %d0, 0f00000000; mov.f32 %d1, 0f00000000; mov.f32 %d2, 0f00000000; mov.f32 %d3, 0f00000000;
again:
  // CHECK: ori.wgmma.mma
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %a, %b, 1, 1, 1, 0, 0;
  wgmma.commit_group.sync.aligned;
  // CHECK: ori.wgmma.wait <count = 1> accumulators(%{{.*}}) : (!ori.acc<4>) -> !ori.acc<4>
  wgmma.wait_group.sync.aligned 1;
  sub.u32 %i, %i, 1;
  setp.ne.u32 %more, %i, 0;
  @%more bra again;
  // CHECK: %[[LAST:.*]] = ori.wgmma.wait <count = 0> accumulators(%{{.*}}) : (!ori.acc<4>) -> !ori.acc<4>
  wgmma.wait_group.sync.aligned 0;
  // CHECK: ori.extract %[[LAST]][3]
  st.global.f32 [%q], %d3;
  ret;
}

// A sparse matrix stores half of its elements; a guarded product keeps its accumulator.
// CHECK-LABEL: @sparse(
.entry sparse(.param .u64 a, .param .u64 b, .param .u32 m, .param .u64 q) {
  .reg .b64 %a, %b, %q; .reg .b32 %m; .reg .f32 %d<4>; .reg .pred %p;
  ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; ld.param.u32 %m, [m]; ld.param.u64 %q, [q];
  mov.f32 %d0, 0f00000000; mov.f32 %d1, 0f00000000; mov.f32 %d2, 0f00000000; mov.f32 %d3, 0f00000000;
  // CHECK: %[[SOME:.*]] = ori.isetp
  setp.ne.u32 %p, %m, 0;
  // CHECK: %[[BEFORE:.*]] = ori.concat %{{.*}} -> !ori.acc<4>
  // CHECK: ori.wgmma.mma <columns = 8, depth = 32, half, {{.*}}selector = 1> %{{.*}} accumulator(%[[BEFORE]]) metadata(%{{.*}}) if %[[SOME]] else %[[BEFORE]] :
  @%p wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%d0, %d1, %d2, %d3}, %a, %b, %m, 1, 1, 1, 1, 0, 0;
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
  st.global.f32 [%q], %d0;
  ret;
}

// CHECK-LABEL: @warp(
.entry warp(.param .u32 r, .param .f64 d, .param .u64 q) {
  .reg .b32 %r, %x<4>; .reg .f64 %d, %y<2>; .reg .b64 %q;
  ld.param.u32 %r, [r]; ld.param.f64 %d, [d]; ld.param.u64 %q, [q];
  // CHECK: ori.qmma <m16n8k32, left_format = e4m3, right_format = e5m2, accumulator = f32>
  mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%x0, %x1, %x2, %x3}, {%r, %r, %r, %r}, {%r, %r}, {%r, %r, %r, %r};
  // CHECK: ori.imma <m16n8k64, left_format = s4, right_format = u4, saturate>
  mma.sync.aligned.m16n8k64.row.col.satfinite.s32.s4.u4.s32 {%x0, %x1, %x2, %x3}, {%x0, %x1, %x2, %x3}, {%r, %r}, {%r, %r, %r, %r};
  // CHECK: ori.dmma <m8n8k4> %{{.*}} : (!ori.r64, !ori.r64, !ori.r128) -> !ori.r128
  mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%y0, %y1}, {%d}, {%d}, {%d, %d};
  // CHECK: ori.movm
  movmatrix.sync.aligned.m8n8.trans.b16 %x0, %x1;
  st.global.u32 [%q], %x0;
  st.global.f64 [%q+8], %y1;
  ret;
}
