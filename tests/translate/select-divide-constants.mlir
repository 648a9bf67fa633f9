// Quotients by constants are products and shifts; by zero, and by a register, they are not.
//
// RUN: orison-translate --ptx-to-ori --counts %s 2>&1 | FileCheck %s
// CHECK: instructions, 0 as 'ori.inst'
.version 8.8
.target sm_90a
.address_size 64

// 7 needs the next dividend: the multiplier is rounded down, and added.
// CHECK-LABEL: @unsigned(
.entry unsigned(.param .u32 a, .param .u64 q) {
  .reg .b32 %a, %d; .reg .b64 %q;
  ld.param.u32 %a, [a]; ld.param.u64 %q, [q];
  // CHECK: %[[A:.*]] = ori.cbank[0, 528]
  // CHECK: %[[MANY:.*]] = ori.imm -1840700270 : !ori.r
  // CHECK: %[[ADDED:.*]] = ori.imm 2454267026 : !ori.r64
  // CHECK: %[[HIGH:.*]] = ori.imad_hi <u32> %[[A]], %[[MANY]], %[[ADDED]]
  // CHECK: %[[TWO:.*]] = ori.imm 2 : !ori.r
  // CHECK: ori.shf <right, u32, high> %{{.*}}, %[[TWO]], %[[HIGH]]
  // CHECK-NOT: ori.mufu
  div.u32 %d, %a, 7;
  st.global.u32 [%q], %d;
  // CHECK: %[[MASK:.*]] = ori.imm 15 : !ori.r
  // CHECK: ori.lop3 <lut = 192> %[[A]], %[[MASK]]
  rem.u32 %d, %a, 16;
  st.global.u32 [%q], %d;
  ret;
}

// 10: the high word, then its half minus the sign. What the quotient leaves is the remainder.
// CHECK-LABEL: @signed(
.entry signed(.param .s32 a, .param .u64 q) {
  .reg .b32 %a, %d; .reg .b64 %q;
  ld.param.s32 %a, [a]; ld.param.u64 %q, [q];
  // CHECK: %[[A:.*]] = ori.cbank[0, 528]
  // CHECK: %[[HIGH:.*]] = ori.imad_hi <s32> %[[A]],
  // CHECK: %[[SIGN:.*]] = ori.shf <right, u32, high> %{{.*}}, %{{.*}}, %[[HIGH]]
  // CHECK: %[[QUOTIENT:.*]] = ori.lea <shift = 30, high, sign_extended> %[[HIGH]], %[[SIGN]]
  // CHECK: %[[TEN:.*]] = ori.imm -10 : !ori.r
  // CHECK: ori.imad %[[QUOTIENT]], %[[TEN]], %[[A]]
  // CHECK-NOT: ori.mufu
  rem.s32 %d, %a, 10;
  st.global.u32 [%q], %d;
  ret;
}

// CHECK-LABEL: @zero(
// CHECK: ori.mufu
.entry zero(.param .u32 a, .param .u64 q) {
  .reg .b32 %a, %d; .reg .b64 %q;
  ld.param.u32 %a, [a]; ld.param.u64 %q, [q];
  div.u32 %d, %a, 0;
  st.global.u32 [%q], %d;
  ret;
}

// Pairs: four products, no branch.
// CHECK-LABEL: @pair(
// CHECK-COUNT-4: ori.imad_wide <u32>
// CHECK-NOT: ori.cond_bra
// CHECK: ori.exit
.entry pair(.param .u64 a, .param .u64 q) {
  .reg .b64 %a, %d, %q;
  ld.param.u64 %a, [a]; ld.param.u64 %q, [q];
  div.u64 %d, %a, 10;
  st.global.u64 [%q], %d;
  ret;
}
