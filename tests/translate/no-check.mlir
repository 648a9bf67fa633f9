// Without the checks, what a target or an instruction does not have is kept as text.
//
// RUN: orison-translate --ptx-to-ori --no-check --quiet %s | FileCheck %s

.version 8.0
.target sm_80
.address_size 64

// CHECK-LABEL: @kept(
.visible .entry kept(.param .f32 x) {
  .reg .pred %p;
  .reg .f32 %f;
  .reg .b16 %h;
  .reg .b32 %r;
  ld.param.f32 %f, [x];
  // CHECK: ori.inst <mnemonic = "mov.pred", text = "mov.pred %p, %is_explicit_cluster;">
  mov.pred %p, %is_explicit_cluster;
  // CHECK: ori.inst <mnemonic = "cvt.rn.other.f16.f32", text = "cvt.rn.other.f16.f32 %h, %f;">
  cvt.rn.other.f16.f32 %h, %f;
  // What was selected before the import found that it does not model an instruction is erased.
  // CHECK-NOT: ori.imnmx
  // CHECK: ori.inst <mnemonic = "min.relu.u32", text = "min.relu.u32 %r, %r, 5;">
  min.relu.u32 %r, %r, 5;
  // CHECK-NOT: ori.inst
  // CHECK: ori.f2fp <to = f16, from = f32>
  cvt.rn.f16.f32 %h, %f;
  ret;
}
