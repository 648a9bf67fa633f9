// Conversions.
//
// RUN: orison-opt %s --convert-ori-to-sass | FileCheck %s

// CHECK-LABEL: sass.func @conversions target "sm_80"
ori.func @conversions(%r4: !ori.r<R4>, %d4: !ori.r64<R4>, %r5: !ori.r<R5>) target "sm_80" {
  // CHECK: sass.i2f "I2F R7, R4"
  %x0 = ori.i2f <to = f32, from = s32> %r4 : (!ori.r<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.i2f "I2F.U32.RP R7, R4"
  %x1 = ori.i2f <to = f32, from = u32, rp> %r4 : (!ori.r<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.i2f "I2F.F64.U64 R8, R4"
  %x2 = ori.i2f <to = f64, from = u64, double> %d4 : (!ori.r64<R4>) -> !ori.r64<R8>
  // CHECK-NEXT: sass.i2f "I2F.F64 R8, R4"
  %x3 = ori.i2f <to = f64, from = s32, double> %r4 : (!ori.r<R4>) -> !ori.r64<R8>
  // CHECK-NEXT: sass.f2i "F2I.FTZ.U32.TRUNC.NTZ R7, R4"
  %x4 = ori.f2i <to = u32, from = f32, trunc, ftz, nan_is_zero> %r4 : (!ori.r<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.f2i "F2I.F64.FLOOR R7, R4"
  %x5 = ori.f2i <to = s32, from = f64, floor, double> %d4 : (!ori.r64<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.f2i "F2I.S64.F64 R8, R4"
  %x6 = ori.f2i <to = s64, from = f64, double> %d4 : (!ori.r64<R4>) -> !ori.r64<R8>
  // CHECK-NEXT: sass.f2f "F2F.F32.F64 R7, R4"
  %x7 = ori.f2f <to = f32, from = f64, double> %d4 : (!ori.r64<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.f2f "F2F.F64.F32 R8, -R4"
  %x8 = ori.f2f <to = f64, from = f32, double> neg %r4 : (!ori.r<R4>) -> !ori.r64<R8>
  // CHECK-NEXT: sass.frnd "FRND.CEIL R7, R4"
  %x9 = ori.frnd <from = f32, ceil> %r4 : (!ori.r<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.frnd "FRND.F64.TRUNC R8, R4"
  %x10 = ori.frnd <from = f64, trunc, double> %d4 : (!ori.r64<R4>) -> !ori.r64<R8>
  // CHECK-NEXT: sass.f2fp "F2FP.PACK_AB R7, R4, R5"
  %x11 = ori.f2fp <to = f16, from = f32> %r4, %r5 : (!ori.r<R4>, !ori.r<R5>) -> !ori.r<R7>
  // CHECK-NEXT: sass.f2fp "F2FP.RELU.BF16.PACK_AB R7, R4, R5"
  %x12 = ori.f2fp <to = bf16, from = f32, relu> %r4, %r5 : (!ori.r<R4>, !ori.r<R5>) -> !ori.r<R7>
  // CHECK-NEXT: sass.f2ip "F2IP.S8.F32.NTZ R7, R4, R5, RZ"
  %x13 = ori.f2ip <to = s8, from = f32> %r4, %r5 : (!ori.r<R4>, !ori.r<R5>) -> !ori.r<R7>
  // CHECK-NEXT: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_90 target "sm_90a"
ori.func @since_90(%r4: !ori.r<R4>, %r5: !ori.r<R5>) target "sm_90a" {
  // CHECK: sass.i2fp "I2FP.F32.S32 R7, R4"
  %x0 = ori.i2fp <s32> %r4 : (!ori.r<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.i2fp "I2FP.F32.U32.RZ R7, R4"
  %x1 = ori.i2fp <u32, rz> %r4 : (!ori.r<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.f2fp "F2FP.F16.F32.PACK_AB R7, R4, R5"
  %x2 = ori.f2fp <to = f16, from = f32> %r4, %r5 : (!ori.r<R4>, !ori.r<R5>) -> !ori.r<R7>
  // CHECK-NEXT: sass.f2fp "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R7, R4, R5, RZ"
  %x3 = ori.f2fp <to = e4m3, from = f32, satfinite> %r4, %r5 : (!ori.r<R4>, !ori.r<R5>) -> !ori.r<R7>
  // CHECK-NEXT: sass.f2fp "F2FP.F16.E5M2.UNPACK_B R7, R4"
  %x4 = ori.f2fp_unpack <to = f16, from = e5m2> %r4 : (!ori.r<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_100 target "sm_100a"
ori.func @since_100(%r4: !ori.r<R4>, %r5: !ori.r<R5>, %r6: !ori.r<R6>) target "sm_100a" {
  // CHECK: sass.f2fp "F2FP.RELU.BF16.F32.PACK_AB.RS R7, R4, R5, R6"
  %x0 = ori.f2fp_rs <bf16, relu> values(%r4, %r5) %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.f2fp "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C.RS R7, R4, R5, R6"
  %x1 = ori.f2fp_rs <e4m3, satfinite> values(%r4, %r5) %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.ret
  ori.ret
}
