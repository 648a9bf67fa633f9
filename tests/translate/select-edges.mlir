// Forms of instructions that differ from others in a modifier or an operand.
//
// RUN: orison-translate --ptx-to-ori --counts %s 2>&1 | FileCheck %s
// CHECK: instructions, 0 as 'ori.inst'
.version 8.8
.target sm_100a
.address_size 64

// A mask of all lanes is no mask.
// CHECK-LABEL: @masks(
.entry masks(.param .u32 a, .param .u64 q) {
  .reg .b32 %a, %m, %x, %y; .reg .b64 %q;
  ld.param.u32 %a, [a]; ld.param.u64 %q, [q];
  activemask.b32 %m;
  // CHECK: ori.vote
  // CHECK: ori.warpsync mask(
  bar.warp.sync %m;
  // CHECK-NEXT: ori.warpsync{{$}}
  bar.warp.sync 0xffffffff;
  // CHECK-NOT: ori.warpsync
  // CHECK: ori.shfl <bfly>
  shfl.sync.bfly.b32 %x, %a, 1, 31, -1;
  // CHECK: ori.warpsync mask(
  // CHECK: ori.shfl <bfly>
  shfl.sync.bfly.b32 %y, %x, 2, 31, %m;
  st.global.u32 [%q], %y;
  ret;
}

// The high half of a product without an addend is the product alone.
// CHECK-LABEL: @halves(
.entry halves(.param .u32 a, .param .u64 q) {
  .reg .b32 %a, %x, %y; .reg .b64 %q;
  ld.param.u32 %a, [a]; ld.param.u64 %q, [q];
  // CHECK: %[[HIGH:.*]] = ori.imad_hi
  mul.hi.u32 %x, %a, 77;
  // CHECK-NEXT: ori.stg <b32> [%{{.*}}], %[[HIGH]]
  st.global.u32 [%q], %x;
  // CHECK: %[[PRODUCT:.*]] = ori.imad_hi
  // CHECK: ori.iadd3 %[[PRODUCT]]
  mad.hi.u32 %y, %a, 78, %x;
  st.global.u32 [%q+4], %y;
  ret;
}

// CHECK-LABEL: @sets(
.entry sets(.param .u32 a, .param .u64 q) {
  .reg .b32 %a, %x; .reg .f32 %f; .reg .b64 %q;
  ld.param.u32 %a, [a]; ld.param.u64 %q, [q];
  // CHECK: %[[LESS:.*]] = ori.isetp <lt, s32
  // CHECK: ori.sel {{.*}}%[[LESS]]
  set.lt.u32.s32 %x, %a, 7;
  // CHECK: %[[MORE:.*]] = ori.isetp <gt, u32
  // CHECK: ori.sel {{.*}}%[[MORE]]
  set.gt.f32.u32 %f, %a, 8;
  st.global.u32 [%q], %x;
  st.global.f32 [%q+4], %f;
  ret;
}

// From sm_100 on, f16 is read by operations on floats that round to nearest. bf16 and other rounding modes
// take a conversion.
// CHECK-LABEL: @mixed(
.entry mixed(.param .u32 h, .param .f32 f, .param .u64 q) {
  .reg .b16 %h, %x; .reg .b32 %hh; .reg .f32 %f, %g; .reg .b64 %q;
  ld.param.u32 %hh, [h]; ld.param.f32 %f, [f]; ld.param.u64 %q, [q];
  mov.b32 {%h, %x}, %hh;
  // CHECK: %[[SUM:.*]] = ori.fhadd h0_h0 %[[H:[0-9]+]], %[[F:[0-9]+]] :
  add.rn.f32.f16 %g, %h, %f;
  // CHECK-NEXT: %[[DIFFERENCE:.*]] = ori.fhadd h0_h0 %[[H]], neg %[[SUM]] :
  sub.f32.f16 %g, %h, %g;
  // CHECK-NEXT: %[[ALL:.*]] = ori.fhfma h0_h0 %[[H]], h0_h0 %[[H]], %[[DIFFERENCE]] :
  fma.rn.f32.f16 %g, %h, %h, %g;
  // CHECK-NOT: ori.fhadd
  // CHECK: ori.fadd <rz> %{{[0-9]+}}, %[[ALL]] :
  add.rz.f32.f16 %g, %h, %g;
  // CHECK-NOT: ori.fhadd
  // CHECK: ori.fadd %{{[0-9]+}}, %{{[0-9]+}} :
  add.rn.f32.bf16 %g, %h, %g;
  st.global.f32 [%q], %g;
  ret;
}

// A half in shared memory has an address of 32 bits.
// CHECK-LABEL: @atomic_halves(
.entry atomic_halves(.param .b16 h, .param .u64 q) {
  .reg .b16 %h, %o, %p; .reg .b64 %q; .reg .b32 %s;
  .shared .align 4 .b8 buffer[16];
  ld.param.b16 %h, [h]; ld.param.u64 %q, [q];
  mov.u32 %s, buffer;
  // CHECK: %[[WORD:.*]] = ori.lop3 <lut = 192> %{{.*}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: ori.atoms <cas, b32> [%[[WORD]]]
  atom.shared.add.noftz.f16 %o, [%s+2], %h;
  // CHECK: ori.atomg <cas, b32
  atom.global.add.noftz.f16 %p, [%q+2], %h;
  st.global.b16 [%q+8], %o;
  st.global.b16 [%q+10], %p;
  ret;
}

// A byte becomes one of another signedness by its extension.
// CHECK-LABEL: @bytes(
.entry bytes(.param .u32 a, .param .u64 q) {
  .reg .b32 %a, %x, %y; .reg .b64 %q;
  ld.param.u32 %a, [a]; ld.param.u64 %q, [q];
  // CHECK: %[[ZEROS:.*]] = ori.lop3 <lut = 192>
  // The lowest byte, and three times its sign.
  // CHECK: %[[SIGN:.*]] = ori.imm 34944 : !ori.r
  // CHECK: %[[BYTE:.*]] = ori.prmt <idx> %[[ZEROS]], %[[SIGN]]
  // CHECK: ori.stg <b32> [%{{.*}}], %[[BYTE]]
  cvt.s8.u8 %x, %a;
  st.global.u32 [%q], %x;
  ret;
}

// A product with a sparse factor has metadata and their selector.
// CHECK-LABEL: @sparse(
.entry sparse(.param .u32 a, .param .u64 q) {
  .reg .b32 %a, %b, %m; .reg .f32 %f<4>; .reg .b64 %q;
  ld.param.u32 %a, [a]; ld.param.u64 %q, [q];
  // CHECK: %[[A:.*]] = ori.cbank[0, 896] : !ori.r
  // CHECK: ori.hmma_sp <m16n8k16, from = f16, accumulator = f32, selector = 1> %{{.*}}, %{{.*}}, %{{.*}}, %[[A]] :
  mov.f32 %f0, 0f00000000;
  mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%a, %a}, {%a, %a}, {%f0, %f0, %f0, %f0}, %a, 1;
  st.global.f32 [%q], %f1;
  ret;
}

// CHECK-LABEL: @fences(
.entry fences() {
  // CHECK: ori.membar <all, cta>
  // CHECK-NEXT: ori.fence <shared, asynchronous>
  fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;
  ret;
}
