// Textures and surfaces by their handles.
//
// RUN: orison-translate --ptx-to-ori --counts %s 2>&1 | FileCheck %s
// CHECK: instructions, 0 as 'ori.inst'
.version 8.8
.target sm_90a
.address_size 64

// CHECK-LABEL: @textures(
.entry textures(.param .u64 t, .param .f32 x, .param .u32 i, .param .u64 q) {
  .reg .b64 %t, %q; .reg .f32 %x, %v<4>; .reg .b32 %i, %w<4>; .reg .pred %p;
  ld.param.u64 %t, [t]; ld.param.f32 %x, [x]; ld.param.u32 %i, [i]; ld.param.u64 %q, [q];
  // CHECK: %[[T:.*]] = ori.cbank[0, 528]
  // CHECK: %[[X:.*]] = ori.cbank[0, 536]
  // CHECK: %[[I:.*]] = ori.cbank[0, 540]
  // Floats are filtered, at the base level.
  // CHECK: ori.tex <tex2d, mask = 15, lz> coordinates(%[[X]], %[[X]]) handle(%[[T]]) : {{.*}} -> !ori.r128
  tex.2d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%t, {%x, %x}];
  // Whole numbers are not; the level is the last coordinate. Of three dimensions, the fourth number
  // of the vector means nothing.
  // CHECK: ori.tld <tex3d, mask = 15, ll> coordinates(%[[I]], %[[I]], %[[I]], %{{.*}}) handle(%[[T]])
  tex.level.3d.v4.s32.s32 {%w0, %w1, %w2, %w3}, [%t, {%i, %i, %i, %i}], 2;
  // The base level is the level zero, which is also read if none is given.
  // CHECK: ori.tex <tex2d, mask = 15, lz> coordinates(%[[X]], %[[X]]) handle(%[[T]])
  tex.base.2d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%t, {%x, %x}];
  // CHECK: ori.txq <dimension, mask = 2> coordinates(%{{.*}}) handle(%[[T]])
  txq.height.b32 %w0, [%t];
  // CHECK: ori.suld <tex1d, clamp, b64> coordinates(%[[I]]) handle(%[[T]]) : {{.*}} -> !ori.r64
  suld.b.1d.v2.b32.clamp {%w1, %w2}, [%t, {%i}];
  setp.ne.u32 %p, %w1, 0;
  // CHECK: ori.sust <array2d, zero, u8> %{{.*}} coordinates(%[[I]], %[[I]], %[[I]]) handle(%[[T]]) if %
  @%p sust.b.a2d.b8.zero [%t, {%i, %i, %i, %i}], %w2;
  // CHECK: ori.sured <tex2d, trap, min, s32> %
  sured.b.min.2d.s32.trap [%t, {%i, %i}], %w0;
  st.global.v4.f32 [%q], {%v0, %v1, %v2, %v3};
  ret;
}
