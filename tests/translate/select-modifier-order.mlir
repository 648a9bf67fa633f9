// Modifiers in any order, as ptxas takes them and nvcc 13.5 writes them; the order of types among
// themselves has a meaning.
//
// RUN: orison-translate --ptx-to-ori --counts %s 2>&1 | FileCheck %s
// CHECK: instructions, 0 as 'ori.inst'
.version 9.0
.target sm_90a
.address_size 64

// CHECK-LABEL: @order(
.entry order(.param .f32 a, .param .u64 q) {
  .reg .f32 %a, %x; .reg .b64 %q; .reg .pred %p; .reg .b16 %h; .reg .b32 %r;
  ld.param.f32 %a, [a]; ld.param.u64 %q, [q];
  // CHECK: %[[A:.*]] = ori.cbank[0, 528]
  // CHECK: %[[X0:.*]] = ori.mufu <rcp>
  rcp.approx.f32.ftz %x, %a;
  // CHECK: %[[X1:.*]] = ori.mufu <rsq> %[[X0]]
  rsqrt.f32.approx.ftz %x, %x;
  // CHECK: %[[X2:.*]] = ori.fadd <ftz> %[[X1]], %[[A]]
  add.f32.rn.ftz %x, %x, %a;
  // CHECK: %[[P:.*]] = ori.fsetp <lt, ftz, and> %[[X2]], %[[A]]
  setp.lt.f32.ftz %p, %x, %a;
  // The result is a half, the operand a float.
  // CHECK: ori.f2fp <to = f16, from = f32>
  cvt.f16.rn.f32 %h, %x;
  // CHECK: ori.ldg
  ld.f32.global %x, [%q];
  // CHECK: ori.stg
  st.f32.global [%q], %x;
  ret;
}
