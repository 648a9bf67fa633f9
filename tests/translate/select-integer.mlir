// Integers: instructions without a machine counterpart are expanded.
//
// RUN: orison-translate --ptx-to-ori --counts %s 2>&1 | FileCheck %s
// CHECK: instructions, 0 as 'ori.inst'
.version 8.8
.target sm_90a
.address_size 64

// The divisor's reciprocal, rounded so that it is too large by nothing, then two units less.
// CHECK-LABEL: @divide(
.entry divide(.param .u32 a, .param .u32 b, .param .u64 q) {
  .reg .b32 %a, %b, %d; .reg .b64 %q;
  ld.param.u32 %a, [a]; ld.param.u32 %b, [b]; ld.param.u64 %q, [q];
  // CHECK: %[[A:.*]] = ori.cbank[0, 528]
  // CHECK: %[[B:.*]] = ori.cbank[0, 532]
  // CHECK: %[[FLOAT:.*]] = ori.i2f <to = f32, from = u32, rp> %[[B]]
  // CHECK: %[[INVERSE:.*]] = ori.mufu <rcp> %[[FLOAT]]
  // CHECK: %[[LESS:.*]] = ori.imm 268435454 : !ori.r
  // CHECK: %[[SCALED:.*]] = ori.iadd3 %[[INVERSE]], %[[LESS]]
  // CHECK: ori.f2i <to = u32, from = f32, trunc, ftz, nan_is_zero> %[[SCALED]]
  // A Newton step, the quotient, and two corrections of the remainder.
  // CHECK-COUNT-2: ori.imad_hi <u32>
  // CHECK-COUNT-2: ori.isetp <ge, u32, and> %{{.*}}, %[[B]]
  // A divisor of zero gives its bits inverted.
  // CHECK: ori.lop3 <lut = 15> %[[B]]
  // CHECK: ori.isetp <eq, u32, and> %[[B]]
  div.u32 %d, %a, %b;
  st.global.u32 [%q], %d;
  ret;
}

// Pairs are divided by a function, which uses 32-bit division for small values.
// CHECK-LABEL: @divide_pairs(
.entry divide_pairs(.param .u64 a, .param .u64 b, .param .u64 q) {
  .reg .b64 %a, %b, %d, %q;
  ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; ld.param.u64 %q, [q];
  // CHECK: %[[QUOTIENT:.*]] = ori.call @orison.div.s64(%{{.*}}, %{{.*}}) {pure} : (!ori.r64, !ori.r64) -> !ori.r64
  div.s64 %d, %a, %b;
  // CHECK: ori.stg <b64> [%{{.*}}], %[[QUOTIENT]]
  st.global.u64 [%q], %d;
  ret;
}

// The carry flag is a predicate: a borrow is its negation.
// CHECK-LABEL: @carries(
.entry carries(.param .u32 a, .param .u64 q) {
  .reg .b32 %a, %x, %y, %z; .reg .b64 %q;
  ld.param.u32 %a, [a]; ld.param.u64 %q, [q];
  // CHECK: %[[SUM:.*]]:2 = ori.iadd3 %[[A:.*]], %[[A]], %{{.*}} -> (!ori.r, !ori.p)
  add.cc.u32 %x, %a, %a;
  // CHECK: %[[NEXT:.*]]:2 = ori.iadd3 <extended> %[[A]], %[[A]], %{{.*}} carry(%[[SUM]]#1)
  addc.cc.u32 %y, %a, %a;
  // CHECK: ori.iadd3 <extended> %[[A]], not %[[A]], %{{.*}} carry(not %[[NEXT]]#1)
  subc.u32 %z, %a, %a;
  // CHECK: ori.stg <b128>
  st.global.v4.u32 [%q], {%x, %y, %z, %a};
  ret;
}

// Halves are extended only where their upper bits matter.
// CHECK-LABEL: @halves(
.entry halves(.param .u16 a, .param .s16 b, .param .u64 q) {
  .reg .b16 %a, %b, %s, %m, %p; .reg .pred %less; .reg .b32 %w; .reg .b64 %q;
  // CHECK: %[[A:.*]] = ori.ldc <u16, bank = 0> [528]
  ld.param.u16 %a, [a];
  // CHECK: %[[B:.*]] = ori.ldc <s16, bank = 0> [530]
  ld.param.s16 %b, [b];
  ld.param.u64 %q, [q];
  // CHECK: ori.iadd3 %[[A]], %[[B]]
  add.u16 %s, %a, %b;
  // The sign of the low half fills the high one.
  // CHECK: %[[SIGNS:.*]] = ori.imm 39184
  // CHECK: %[[WIDE:.*]] = ori.prmt <idx> %[[A]], %[[SIGNS]]
  // CHECK: %[[OTHER:.*]] = ori.prmt <idx> %[[B]]
  // CHECK: ori.vimnmx <s32> %[[WIDE]], %[[OTHER]]
  min.s16 %m, %a, %b;
  // CHECK: %[[MASK:.*]] = ori.imm 65535
  // CHECK: ori.lop3 <lut = 192> %[[A]], %[[MASK]]
  // CHECK: ori.isetp <lt, u32, and>
  setp.lo.u16 %less, %a, %b;
  selp.b16 %p, %s, %m, %less;
  st.global.u16 [%q], %p;
  ret;
}

// Fields at an unknown position are shifted by a byte of each operand.
// CHECK-LABEL: @fields(
.entry fields(.param .u32 a, .param .u32 b, .param .u32 c, .param .u64 q) {
  .reg .b32 %a, %b, %c, %x, %y; .reg .b64 %q;
  ld.param.u32 %a, [a]; ld.param.u32 %b, [b]; ld.param.u32 %c, [c]; ld.param.u64 %q, [q];
  // CHECK: %[[PLACE:.*]] = ori.lop3 <lut = 192> %[[B:.*]], %
  // CHECK: %[[LENGTH:.*]] = ori.lop3 <lut = 192> %[[C:.*]], %
  // CHECK: %[[SHIFTED:.*]] = ori.shf <right, s32, high> %{{.*}}, %[[PLACE]], %[[A:.*]] :
  // CHECK: ori.sgxt <s32> %[[SHIFTED]], %[[LENGTH]]
  bfe.s32 %x, %a, %b, %c;
  // CHECK: %[[FIELD:.*]] = ori.shf <left, u32> %[[A]]
  // CHECK: %[[ONES:.*]] = ori.bmsk
  // The field where the mask is one, else the old value.
  // CHECK: ori.lop3 <lut = 226> %[[FIELD]], %[[ONES]], %
  bfi.b32 %y, %a, %x, %b, %c;
  // CHECK: ori.vabsdiff <u32>
  sad.u32 %x, %a, %b, %y;
  // CHECK: ori.idp <left_format = s8, right_format = u8>
  dp4a.s32.u32 %y, %x, %b, %c;
  st.global.u32 [%q], %y;
  ret;
}

// Bits 16 to 47 of the product of the low 24 bits, and the addend.
// CHECK-LABEL: @high_of_24_bits(
.entry high_of_24_bits(.param .s32 a, .param .s32 c, .param .u64 q) {
  .reg .s32 %a, %c, %d; .reg .b64 %q;
  ld.param.s32 %a, [a]; ld.param.s32 %c, [c]; ld.param.u64 %q, [q];
  // CHECK: %[[A:.*]] = ori.cbank[0, 528]
  // CHECK: %[[C:.*]] = ori.cbank[0, 532]
  // CHECK: %[[MIDDLE:.*]] = ori.prmt <idx> %{{.*}}, %{{.*}}, %{{.*}}
  // CHECK: %[[SUM:.*]] = ori.iadd3 %[[MIDDLE]], %[[C]], %{{.*}}
  mad24.hi.s32 %d, %a, %a, %c;
  // CHECK: ori.stg <b32> [%{{.*}}], %[[SUM]]
  st.global.s32 [%q], %d;
  ret;
}

// A minimum is the lesser one; with relu it is not negative.
// CHECK-LABEL: @least(
.entry least(.param .s32 a, .param .s32 b, .param .u64 q) {
  .reg .s32 %a, %b, %d, %e; .reg .b64 %q;
  ld.param.s32 %a, [a]; ld.param.s32 %b, [b]; ld.param.u64 %q, [q];
  // CHECK: %[[A:.*]] = ori.cbank[0, 528]
  // CHECK: %[[B:.*]] = ori.cbank[0, 532]
  // CHECK: %[[LEAST:.*]] = ori.vimnmx <s32> %[[A]], %[[B]]
  min.s32 %d, %a, %b;
  // CHECK: %[[SAME:.*]] = ori.vimnmx <s32> %[[A]], %[[B]]
  // CHECK: %[[ABOVE:.*]] = ori.vimnmx <s32> %[[SAME]],
  min.relu.s32 %e, %a, %b;
  // CHECK: ori.stg <b32> [%{{.*}}], %[[LEAST]]
  // CHECK: ori.stg <b32> [%{{.*}}], %[[ABOVE]]
  st.global.s32 [%q], %d;
  st.global.s32 [%q+4], %e;
  ret;
}

// CHECK-LABEL: ori.func private @orison.div.s64(
// CHECK: ori.i2f <to = f32, from = u32, rp>
// CHECK: ori.cond_bra %{{.*}}, ^bb1, ^bb2(
// CHECK: ^bb1:
// CHECK: ori.i2f <to = f32, from = u64, rp, double>
// CHECK: ori.bra ^bb2(
// CHECK: ^bb2(%[[QUOTIENT:.*]]: !ori.r64):
// CHECK: ori.ret %[[QUOTIENT]]
