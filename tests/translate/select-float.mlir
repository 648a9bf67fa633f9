// Floats: denormals where relevant, quotients and roots rounded once, halves.
//
// RUN: orison-translate --ptx-to-ori --counts %s 2>&1 | FileCheck %s
// CHECK: instructions, 0 as 'ori.inst'
.version 8.8
.target sm_90a
.address_size 64

// The transcendental unit treats denormals as zero: without .ftz they are scaled.
// CHECK-LABEL: @elementary(
.entry elementary(.param .f32 a, .param .u64 q) {
  .reg .f32 %a, %x; .reg .b64 %q;
  ld.param.f32 %a, [a]; ld.param.u64 %q, [q];
  // CHECK: %[[A:.*]] = ori.cbank[0, 528]
  // -126: below it the power is denormal.
  // CHECK: %[[LEAST:.*]] = ori.imm -1023672320
  // CHECK: %[[PLAIN:.*]] = ori.fsetp <geu, and> %[[A]], %[[LEAST]]
  // CHECK: %[[HALF:.*]] = ori.fmul %[[A]]
  // CHECK: %[[EXPONENT:.*]] = ori.sel %[[A]], %[[HALF]], %[[PLAIN]]
  // CHECK: %[[POWER:.*]] = ori.mufu <ex2> %[[EXPONENT]]
  // CHECK: %[[SQUARE:.*]] = ori.fmul %[[POWER]], %[[POWER]]
  // CHECK: %[[X:.*]] = ori.sel %[[POWER]], %[[SQUARE]], %[[PLAIN]]
  ex2.approx.f32 %x, %a;
  // CHECK-NEXT: %[[Y:.*]] = ori.mufu <lg2> %[[X]]
  lg2.approx.ftz.f32 %x, %x;
  // The unit takes angles in turns.
  // CHECK: ori.fmul <rz> %[[Y]]
  // CHECK: ori.mufu <sin>
  sin.approx.f32 %x, %x;
  st.global.f32 [%q], %x;
  ret;
}

// The slow path of a quotient is a separate block.
// CHECK-LABEL: @quotient(
.entry quotient(.param .f32 a, .param .f32 b, .param .u64 q) {
  .reg .f32 %a, %b, %x; .reg .b64 %q;
  ld.param.f32 %a, [a]; ld.param.f32 %b, [b]; ld.param.u64 %q, [q];
  // CHECK: %[[A:.*]] = ori.cbank[0, 528]
  // CHECK: %[[B:.*]] = ori.cbank[0, 532]
  // CHECK: %[[RARE:.*]] = ori.fchk %[[A]], %[[B]]
  // CHECK: %[[GUESS:.*]] = ori.mufu <rcp> %[[B]]
  // CHECK: %[[ERROR:.*]] = ori.ffma neg %[[B]], %[[GUESS]]
  // CHECK: %[[INVERSE:.*]] = ori.ffma %[[GUESS]], %[[ERROR]], %[[GUESS]]
  // CHECK: %[[FIRST:.*]] = ori.ffma %[[A]], %[[INVERSE]]
  // CHECK: %[[REST:.*]] = ori.ffma neg %[[B]], %[[FIRST]], %[[A]]
  // CHECK: %[[QUOTIENT:.*]] = ori.ffma %[[INVERSE]], %[[REST]], %[[FIRST]]
  // CHECK: ori.cond_bra %[[RARE]], ^bb1, ^bb2(%[[QUOTIENT]] : !ori.r)
  // CHECK: ^bb1:
  // CHECK-NEXT: ori.call @orison.div.rn.f32(%[[A]], %[[B]]) {pure} : (!ori.r, !ori.r) -> !ori.r
  div.rn.f32 %x, %a, %b;
  st.global.f32 [%q], %x;
  ret;
}

// Over the whole range of the divisor, nearly.
// CHECK-LABEL: @approximate(
.entry approximate(.param .f32 a, .param .f32 b, .param .u64 q) {
  .reg .f32 %a, %b, %x; .reg .b64 %q;
  ld.param.f32 %a, [a]; ld.param.f32 %b, [b]; ld.param.u64 %q, [q];
  // CHECK: %[[LARGE:.*]] = ori.imm 2122317824
  // CHECK: %[[FITS:.*]] = ori.fsetp <leu, and> abs %[[B:.*]], %[[LARGE]]
  // CHECK-COUNT-2: ori.sel %{{.*}}, %{{.*}}, %[[FITS]]
  // CHECK: ori.fsetp <geu, and> abs %
  // CHECK: %[[INVERSE:.*]] = ori.mufu <rcp>
  // CHECK: ori.fmul %{{.*}}, %[[INVERSE]]
  div.full.f32 %x, %a, %b;
  st.global.f32 [%q], %x;
  ret;
}

// CHECK-LABEL: @halves(
.entry halves(.param .u32 a, .param .u32 b, .param .u64 q) {
  .reg .b32 %a, %b, %x; .reg .b16 %h, %i; .reg .pred %p, %o; .reg .b64 %q; .reg .f32 %f;
  ld.param.u32 %a, [a]; ld.param.u32 %b, [b]; ld.param.u64 %q, [q];
  // CHECK: ori.hfma2 <bf16, relu>
  fma.rn.relu.bf16x2 %x, %a, %b, %a;
  // CHECK: ori.hmnmx2 <f16, nan_wins> abs %[[X:.*]], abs %[[A:.*]], %
  // The sign of the result is the XOR of both signs.
  // CHECK: %[[SIGN:.*]] = ori.lop3 <lut = 60> %[[X]], %[[A]]
  // CHECK: ori.lop3 <lut = 226> %{{.*}}, %{{.*}}, %[[SIGN]]
  max.NaN.xorsign.abs.f16x2 %x, %x, %a;
  mov.b32 {%h, %i}, %x;
  // CHECK: ori.hadd2 <f16> h0_h0 %{{.*}}, neg h0_h0 %
  sub.f16 %h, %h, %i;
  // CHECK: %[[LOW:.*]] = ori.hsetp2 <lt, f16, and> h0_h0 %[[P:.*]], h0_h0 %[[Q:.*]] :
  // CHECK: %[[HIGH:.*]] = ori.hsetp2 <lt, f16, and> h1_h1 %[[P]], h1_h1 %[[Q]] :
  setp.lt.f16x2 %p|%o, %x, %b;
  // CHECK: ori.sel %{{.*}}, %{{.*}}, %[[HIGH]]
  selp.b16 %h, %h, %i, %o;
  // CHECK: ori.hadd2_f32 <f16> neg %{{.*}}, h0_h0 %
  cvt.f32.f16 %f, %h;
  st.global.f32 [%q], %f;
  ret;
}

// CHECK-LABEL: @doubles(
.entry doubles(.param .f64 a, .param .f64 b, .param .u64 q) {
  .reg .f64 %a, %b, %x; .reg .b64 %q;
  ld.param.f64 %a, [a]; ld.param.f64 %b, [b]; ld.param.u64 %q, [q];
  // CHECK: ori.dfma <rm> %{{.*}}, %{{.*}}, %
  fma.rm.f64 %x, %a, %b, %a;
  // A number is preferred over NaN, and the signs of zeros are combined.
  // CHECK: ori.dsetp <lt, and>
  // CHECK: ori.dsetp <nan, and>
  // CHECK: ori.dsetp <eq, and>
  min.f64 %x, %x, %b;
  // CHECK: ori.mufu <rcp64h>
  // CHECK: ori.cond_bra
  rcp.rn.f64 %x, %x;
  st.global.f64 [%q], %x;
  ret;
}

// A bf16 is the high half of a float.
// CHECK-LABEL: @brain(
.entry brain(.param .b16 h, .param .u64 q) {
  .reg .b16 %h; .reg .s32 %i; .reg .b64 %q;
  ld.param.b16 %h, [h]; ld.param.u64 %q, [q];
  // CHECK: %[[H:.*]] = ori.shf <left, u32>
  // CHECK: ori.f2i <to = s32, from = f32, trunc, nan_is_zero> %[[H]]
  cvt.rzi.s32.bf16 %i, %h;
  st.global.s32 [%q], %i;
  ret;
}
