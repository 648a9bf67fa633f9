// Floats of 16, 32 and 64 bits.
//
// RUN: orison-opt %s --convert-ori-to-sass | FileCheck %s

// CHECK-LABEL: sass.func @floats target "sm_80"
ori.func @floats(%r4: !ori.r<R4>, %r5: !ori.r<R5>, %p1: !ori.p<P1>, %p2: !ori.p<P2>, %r6: !ori.r<R6>, %d4: !ori.r64<R4>, %d6: !ori.r64<R6>) target "sm_80" {
  %I1065353216 = ori.imm 1065353216 : !ori.r
  %Im1073741824 = ori.imm -1073741824 : !ori.r
  %I1042479491 = ori.imm 1042479491 : !ori.r
  %C352 = ori.cbank[0, 352] : !ori.r
  %I1056964608 = ori.imm 1056964608 : !ori.r
  %I1602224128 = ori.imm 1602224128 : !ori.r
  %I0 = ori.imm 0 : !ori.r
  %P0 = ori.imm 0 : !ori.p
  %P1 = ori.imm 1 : !ori.p
  %I2139095040 = ori.imm 2139095040 : !ori.r
  %I8388608 = ori.imm 8388608 : !ori.r
  %I1006648320 = ori.imm 1006648320 : !ori.r
  %I1065369472 = ori.imm 1065369472 : !ori.r
  %D4602678819172646912 = ori.imm 4602678819172646912 : !ori.r64
  %K352 = ori.cbank[0, 352] : !ori.r64
  // Numbers are those of the type: 1, -2, +INF.
  // CHECK: sass.fadd "FADD R7, R4, -|R5|"
  %x0 = ori.fadd %r4, neg abs %r5 : (!ori.r<R4>, !ori.r<R5>) -> !ori.r<R7>
  // CHECK-NEXT: sass.fadd "FADD.FTZ.RZ.SAT R7, R4, 1"
  %x1 = ori.fadd <rz, ftz, saturate> %r4, %I1065353216 : (!ori.r<R4>, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.fmul "FMUL R7, R4, -2"
  %x2 = ori.fmul %r4, %Im1073741824 : (!ori.r<R4>, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.fmul "FMUL.RZ R7, R4, 0.15915493667125701904"
  %x3 = ori.fmul <rz> %r4, %I1042479491 : (!ori.r<R4>, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.ffma "FFMA R7, -R4, R5, c[0x0][0x160]"
  %x4 = ori.ffma neg %r4, %r5, %C352 : (!ori.r<R4>, !ori.r<R5>, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.ffma "FFMA.SAT R7, R4, R5, 0.5"
  %x5 = ori.ffma <saturate> %r4, %r5, %I1056964608 : (!ori.r<R4>, !ori.r<R5>, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.ffma "FFMA R7, R4, 1.84467440737095516160e+19, RZ"
  %x6 = ori.ffma %r4, %I1602224128, %I0 : (!ori.r<R4>, !ori.r, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.fadd "FADD R7, -RZ, R5"
  %x7 = ori.fadd neg %I0, %r5 : (!ori.r, !ori.r<R5>) -> !ori.r<R7>
  // CHECK-NEXT: sass.fmnmx "FMNMX.NAN R7, R4, R5, !PT"
  %x8 = ori.fmnmx <nan_wins> %r4, %r5, %P0 : (!ori.r<R4>, !ori.r<R5>, !ori.p) -> !ori.r<R7>
  // CHECK-NEXT: sass.fmnmx "FMNMX.FTZ R7, R4, RZ, PT"
  %x9 = ori.fmnmx <ftz> %r4, %I0, %P1 : (!ori.r<R4>, !ori.r, !ori.p) -> !ori.r<R7>
  // CHECK-NEXT: sass.fsel "FSEL R7, R4, +INF , !P1"
  %x10 = ori.fsel %r4, %I2139095040, not %p1 : (!ori.r<R4>, !ori.r, !ori.p<P1>) -> !ori.r<R7>
  // CHECK-NEXT: sass.fsetp "FSETP.GEU.AND P1, PT, |R4|, 1.175494350822287508e-38, PT"
  %x11 = ori.fsetp <geu, and> abs %r4, %I8388608 : (!ori.r<R4>, !ori.r) -> !ori.p<P1>
  // CHECK-NEXT: sass.fsetp "FSETP.GT.FTZ.OR P1, P3, R4, R5, P2"
  %x12:2 = ori.fsetp <gt, ftz, or> %r4, %r5 with(%p2) : (!ori.r<R4>, !ori.r<R5>, !ori.p<P2>) -> (!ori.p<P1>, !ori.p<P3>)
  // CHECK-NEXT: sass.fset "FSET.BF.GT.AND R7, R4, R5, PT"
  %x13 = ori.fset <gt, float_result> %r4, %r5 : (!ori.r<R4>, !ori.r<R5>) -> !ori.r<R7>
  // CHECK-NEXT: sass.mufu "MUFU.RCP R7, R4"
  %x14 = ori.mufu <rcp> %r4 : (!ori.r<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.mufu "MUFU.EX2 R7, -|R4|"
  %x15 = ori.mufu <ex2> neg abs %r4 : (!ori.r<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.fchk "FCHK P1, R4, R5"
  %x16 = ori.fchk %r4, %r5 : (!ori.r<R4>, !ori.r<R5>) -> !ori.p<P1>
  // CHECK-NEXT: sass.hadd2 "HADD2 R7, R4, R5.H0_H0"
  %x17 = ori.hadd2 <f16> %r4, h0_h0 %r5 : (!ori.r<R4>, !ori.r<R5>) -> !ori.r<R7>
  // CHECK-NEXT: sass.hadd2 "HADD2.F32 R7, -RZ, R5.H1_H1"
  %x18 = ori.hadd2_f32 <f16> neg %I0, h1_h1 %r5 : (!ori.r, !ori.r<R5>) -> !ori.r<R7>
  // CHECK-NEXT: sass.hmul2 "HMUL2.BF16_V2 R7, R4, -R5.H1_H1"
  %x19 = ori.hmul2 <bf16> %r4, neg h1_h1 %r5 : (!ori.r<R4>, !ori.r<R5>) -> !ori.r<R7>
  // CHECK-NEXT: sass.hfma2 "HFMA2.RELU R7, R4, R5, R6.H0_H0"
  %x20 = ori.hfma2 <f16, relu> %r4, %r5, h0_h0 %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.hfma2 "HFMA2 R7, R4, 1, 1, R6"
  %x21 = ori.hfma2 <f16> %r4, %I1006648320, %r6 : (!ori.r<R4>, !ori.r, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.hfma2 "HFMA2.BF16_V2 R7, R4, R5, 1, 1"
  %x22 = ori.hfma2 <bf16> %r4, %r5, %I1065369472 : (!ori.r<R4>, !ori.r<R5>, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.hfma2 "HFMA2.MMA R7, -RZ, RZ, 1.875, 0"
  %x23 = ori.hfma2_mma <f16> neg %I0, %I0, %I1065353216 : (!ori.r, !ori.r, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.hmnmx2 "HMNMX2.NAN R7, R4, R5, !P1"
  %x24 = ori.hmnmx2 <f16, nan_wins> %r4, %r5, not %p1 : (!ori.r<R4>, !ori.r<R5>, !ori.p<P1>) -> !ori.r<R7>
  // CHECK-NEXT: sass.hset2 "HSET2.BF.GE.AND R7, R4, R5, PT"
  %x25 = ori.hset2 <ge, f16, float_result> %r4, %r5 : (!ori.r<R4>, !ori.r<R5>) -> !ori.r<R7>
  // CHECK-NEXT: sass.hsetp2 "HSETP2.LT.AND P1, PT, R4.H0_H0, R5.H0_H0, PT"
  %x26 = ori.hsetp2 <lt, f16> h0_h0 %r4, h0_h0 %r5 : (!ori.r<R4>, !ori.r<R5>) -> !ori.p<P1>
  // CHECK-NEXT: sass.dadd "DADD R8, R4, -R6"
  %x27 = ori.dadd %d4, neg %d6 : (!ori.r64<R4>, !ori.r64<R6>) -> !ori.r64<R8>
  // CHECK-NEXT: sass.dmul "DMUL.RP R8, R4, 0.5"
  %x28 = ori.dmul <rp> %d4, %D4602678819172646912 : (!ori.r64<R4>, !ori.r64) -> !ori.r64<R8>
  // CHECK-NEXT: sass.dfma "DFMA R8, R4, R6, c[0x0][0x160]"
  %x29 = ori.dfma %d4, %d6, %K352 : (!ori.r64<R4>, !ori.r64<R6>, !ori.r64) -> !ori.r64<R8>
  // CHECK-NEXT: sass.dsetp "DSETP.GTU.AND P1, PT, R4, |R6|, PT"
  %x30 = ori.dsetp <gtu> %d4, abs %d6 : (!ori.r64<R4>, !ori.r64<R6>) -> !ori.p<P1>
  // CHECK-NEXT: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_90 target "sm_90a"
ori.func @since_90(%r4: !ori.r<R4>, %r5: !ori.r<R5>, %u4: !ori.ur<UR4>) target "sm_90a" {
  %P1 = ori.imm 1 : !ori.p
  // CHECK: sass.vhmnmx "VHMNMX R7, R4, R5, R5, PT"
  %x0 = ori.vhmnmx <f16> %r4, %r5, %P1 : (!ori.r<R4>, !ori.r<R5>, !ori.p) -> !ori.r<R7>
  // CHECK-NEXT: sass.fadd "FADD R7, R4, UR4"
  %x1 = ori.fadd %r4, %u4 : (!ori.r<R4>, !ori.ur<UR4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_100 target "sm_100a"
ori.func @since_100(%r4: !ori.r<R4>, %r5: !ori.r<R5>, %r6: !ori.r<R6>, %d4: !ori.r64<R4>, %d6: !ori.r64<R6>, %w4: !ori.ur64<UR4>, %d10: !ori.r64<R10>) target "sm_100a" {
  // CHECK: sass.fhadd "FHADD R7, R4.H1, R5"
  %x0 = ori.fhadd h1_h1 %r4, %r5 : (!ori.r<R4>, !ori.r<R5>) -> !ori.r<R7>
  // CHECK-NEXT: sass.fhfma "FHFMA R7, R4, R5.H1, -R6"
  %x1 = ori.fhfma h0_h0 %r4, h1_h1 %r5, neg %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.fadd2 "FADD2.FTZ R8, R4.F32x2.HI_LO, -R6.F32x2.HI_LO"
  %x2 = ori.fadd2 <ftz> %d4, neg %d6 : (!ori.r64<R4>, !ori.r64<R6>) -> !ori.r64<R8>
  // CHECK-NEXT: sass.fmul2 "FMUL2 R8, R4.F32x2.HI_LO, UR4.F32x2.HI_LO"
  %x3 = ori.fmul2 %d4, %w4 : (!ori.r64<R4>, !ori.ur64<UR4>) -> !ori.r64<R8>
  // CHECK-NEXT: sass.ffma2 "FFMA2 R8, R4.F32x2.HI_LO, R6.F32x2.HI_LO, R10.F32x2.HI_LO"
  %x4 = ori.ffma2 %d4, %d6, %d10 : (!ori.r64<R4>, !ori.r64<R6>, !ori.r64<R10>) -> !ori.r64<R8>
  // CHECK-NEXT: sass.fmnmx3 "FMNMX3 R7, R4, R5, R6, !PT"
  %x5 = ori.fmnmx3 <max> %r4, %r5, %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.ret
  ori.ret
}
