// Integers.
//
// RUN: orison-opt %s --convert-ori-to-sass | FileCheck %s

// CHECK-LABEL: sass.func @sums target "sm_80"
ori.func @sums(%r4: !ori.r<R4>, %r5: !ori.r<R5>, %r6: !ori.r<R6>, %p1: !ori.p<P1>, %p2: !ori.p<P2>) target "sm_80" {
  %Im8 = ori.imm -8 : !ori.r
  %I0 = ori.imm 0 : !ori.r
  // CHECK: sass.iadd3 "IADD3 R7, R4, -R5, R6"
  %x0 = ori.iadd3 %r4, neg %r5, %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.iadd3 "IADD3 R7, P1, R4, -0x8, RZ"
  %x1:2 = ori.iadd3 %r4, %Im8, %I0 : (!ori.r<R4>, !ori.r, !ori.r) -> (!ori.r<R7>, !ori.p<P1>)
  // CHECK-NEXT: sass.iadd3 "IADD3 R7, P1, R4, R5, R6"
  %x2:3 = ori.iadd3 %r4, %r5, %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> (!ori.r<R7>, !ori.p<P1>, !ori.p<P2>)
  // CHECK-NEXT: sass.iadd3 "IADD3.X R7, R4, ~R5, RZ, !P1, !PT"
  %x3 = ori.iadd3 <extended> %r4, not %r5, %I0 carry(not %p1) : (!ori.r<R4>, !ori.r<R5>, !ori.r, !ori.p<P1>) -> !ori.r<R7>
  // CHECK-NEXT: sass.iadd3 "IADD3.X R7, P3, R4, R5, R6, P1, P2"
  %x4:2 = ori.iadd3 <extended> %r4, %r5, %r6 carry(%p1, %p2) : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>, !ori.p<P1>, !ori.p<P2>) -> (!ori.r<R7>, !ori.p<P3>)
  // CHECK-NEXT: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @integers target "sm_80"
ori.func @integers(%r4: !ori.r<R4>, %r6: !ori.r<R6>, %u4: !ori.ur<UR4>, %r5: !ori.r<R5>, %p1: !ori.p<P1>, %d8: !ori.r64<R8>, %p2: !ori.p<P2>, %p0: !ori.p<P0>, %v1: !ori.up<UP1>) target "sm_80" {
  %C352 = ori.cbank[0, 352] : !ori.r
  %I10 = ori.imm 10 : !ori.r
  %I0 = ori.imm 0 : !ori.r
  %I1 = ori.imm 1 : !ori.r
  %I8 = ori.imm 8 : !ori.r
  %Im5 = ori.imm -5 : !ori.r
  %K352 = ori.cbank[0, 352] : !ori.r64
  %Im2 = ori.imm -2 : !ori.r
  %I5 = ori.imm 5 : !ori.r
  %I31 = ori.imm 31 : !ori.r
  %Im1 = ori.imm -1 : !ori.r
  %P1 = ori.imm 1 : !ori.p
  %I21520 = ori.imm 21520 : !ori.r
  // A constant bank, and the other instructions that IMAD is.
  // CHECK: sass.iadd3 "IADD3 R7, R4, -c[0x0][0x160], R6"
  %x0 = ori.iadd3 %r4, neg %C352, %r6 : (!ori.r<R4>, !ori.r, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.imad "IMAD R7, R4, c[0x0][0x160], -R6"
  %x1 = ori.imad %r4, %C352, neg %r6 : (!ori.r<R4>, !ori.r, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.imad "IMAD R7, R4, 0xa, R6"
  %x2 = ori.imad %r4, %I10, %r6 : (!ori.r<R4>, !ori.r, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.imad "IMAD.MOV.U32 R7, RZ, RZ, c[0x0][0x160]"
  %x3 = ori.imad %I0, %I0, %C352 : (!ori.r, !ori.r, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.imad "IMAD.U32 R7, RZ, RZ, UR4"
  %x4 = ori.imad %I0, %I0, %u4 : (!ori.r, !ori.r, !ori.ur<UR4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.imad "IMAD.MOV R7, RZ, RZ, -R6"
  %x5 = ori.imad %I0, %I0, neg %r6 : (!ori.r, !ori.r, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.imad "IMAD.IADD R7, R4, 0x1, R6"
  %x6 = ori.imad %r4, %I1, %r6 : (!ori.r<R4>, !ori.r, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.imad "IMAD.SHL.U32 R7, R4, 0x8, RZ"
  %x7 = ori.imad %r4, %I8, %I0 : (!ori.r<R4>, !ori.r, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.imad "IMAD.X R7, R4, R5, R6, P1"
  %x8 = ori.imad <extended> %r4, %r5, %r6 carry(%p1) : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>, !ori.p<P1>) -> !ori.r<R7>
  // CHECK-NEXT: sass.imad "IMAD.WIDE.U32 R10, R4, -0x5, R8"
  %x9 = ori.imad_wide <u32> %r4, %Im5, %d8 : (!ori.r<R4>, !ori.r, !ori.r64<R8>) -> !ori.r64<R10>
  // CHECK-NEXT: sass.imad "IMAD.WIDE R10, P1, R4, R5, c[0x0][0x160]"
  %x10:2 = ori.imad_wide <s32> %r4, %r5, %K352 : (!ori.r<R4>, !ori.r<R5>, !ori.r64) -> (!ori.r64<R10>, !ori.p<P1>)
  // CHECK-NEXT: sass.imad "IMAD.WIDE.U32.X R10, R4, R5, R8, P1"
  %x11 = ori.imad_wide <u32, extended> %r4, %r5, %d8 carry(%p1) : (!ori.r<R4>, !ori.r<R5>, !ori.r64<R8>, !ori.p<P1>) -> !ori.r64<R10>
  // CHECK-NEXT: sass.imad "IMAD.HI.U32 R7, R4, R5, R8"
  %x12 = ori.imad_hi <u32> %r4, %r5, %d8 : (!ori.r<R4>, !ori.r<R5>, !ori.r64<R8>) -> !ori.r<R7>
  // CHECK-NEXT: sass.lop3 "LOP3.LUT R7, R4, 0xfffffffe, RZ, 0xc0, !PT"
  %x13 = ori.lop3 <lut = 192> %r4, %Im2, %I0 : (!ori.r<R4>, !ori.r, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.lop3 "LOP3.LUT P2, R7, R4, R5, R6, 0xfc, P1"
  %x14:2 = ori.lop3_test <lut = 252> %r4, %r5, %r6 with(%p1) : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>, !ori.p<P1>) -> (!ori.r<R7>, !ori.p<P2>)
  // CHECK-NEXT: sass.lea "LEA R7, P1, R4, c[0x0][0x160], 0x2"
  %x15:2 = ori.lea <shift = 2> %r4, %C352, %I0 : (!ori.r<R4>, !ori.r, !ori.r) -> (!ori.r<R7>, !ori.p<P1>)
  // CHECK-NEXT: sass.lea "LEA.HI R7, -R4, R5, R6, 0x2"
  %x16 = ori.lea <shift = 2, high> neg %r4, %r5, %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.lea "LEA.HI.X R7, R4, R5, R6, 0x2, P1"
  %x17 = ori.lea <shift = 2, high, extended> %r4, %r5, %r6 carry(%p1) : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>, !ori.p<P1>) -> !ori.r<R7>
  // CHECK-NEXT: sass.lea "LEA.HI.SX32 R7, R4, R5, 0x1"
  %x18 = ori.lea <shift = 1, high, sign_extended> %r4, %r5, %I0 : (!ori.r<R4>, !ori.r<R5>, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.lea "LEA.HI.X.SX32 R7, R4, R5, 0x1, P1"
  %x19 = ori.lea <shift = 1, high, sign_extended, extended> %r4, %r5, %I0 carry(%p1) : (!ori.r<R4>, !ori.r<R5>, !ori.r, !ori.p<P1>) -> !ori.r<R7>
  // CHECK-NEXT: sass.shf "SHF.L.U32 R7, R4, 0x5, RZ"
  %x20 = ori.shf <left, u32> %r4, %I5, %I0 : (!ori.r<R4>, !ori.r, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.shf "SHF.R.S32.HI R7, RZ, 0x1f, R6"
  %x21 = ori.shf <right, s32, high> %I0, %I31, %r6 : (!ori.r, !ori.r, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.shf "SHF.L.W.U32.HI R7, R4, R5, R6"
  %x22 = ori.shf <left, u32, high, wrap> %r4, %r5, %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.shf "SHF.R.U64 R7, R4, R5, R6"
  %x23 = ori.shf <right, u64> %r4, %r5, %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.imnmx "IMNMX R7, R4, -0x1, PT"
  %x24 = ori.imnmx <s32> %r4, %Im1, %P1 : (!ori.r<R4>, !ori.r, !ori.p) -> !ori.r<R7>
  // CHECK-NEXT: sass.imnmx "IMNMX.U32 R7, R4, R5, !P1"
  %x25 = ori.imnmx <u32> %r4, %r5, not %p1 : (!ori.r<R4>, !ori.r<R5>, !ori.p<P1>) -> !ori.r<R7>
  // CHECK-NEXT: sass.iabs "IABS R7, R4"
  %x26 = ori.iabs %r4 : (!ori.r<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.vabsdiff "VABSDIFF.U32 R7, R4, R5, R6"
  %x27 = ori.vabsdiff <u32> %r4, %r5, %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.vabsdiff4 "VABSDIFF4.U8 R7, R4, R5, R6"
  %x28 = ori.vabsdiff4 <u8> %r4, %r5, %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.idp "IDP.4A.S8.U8 R7, R4, R5, R6"
  %x29 = ori.idp <left_format = s8, right_format = u8> %r4, %r5, %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.idp "IDP.2A.LO.U16.U8 R7, R4, R5, R6"
  %x30 = ori.idp <left_format = u16, right_format = u8, halves> %r4, %r5, %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.bmsk "BMSK.W R7, R4, R5"
  %x31 = ori.bmsk <wrap> %r4, %r5 : (!ori.r<R4>, !ori.r<R5>) -> !ori.r<R7>
  // CHECK-NEXT: sass.sgxt "SGXT.U32 R7, R4, 0x8"
  %x32 = ori.sgxt <u32> %r4, %I8 : (!ori.r<R4>, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.sgxt "SGXT.W R7, R4, R5"
  %x33 = ori.sgxt <s32, wrap> %r4, %r5 : (!ori.r<R4>, !ori.r<R5>) -> !ori.r<R7>
  // CHECK-NEXT: sass.popc "POPC R7, ~R4"
  %x34 = ori.popc not %r4 : (!ori.r<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.flo "FLO.U32.SH R7, R4"
  %x35 = ori.flo <u32, shift_amount> %r4 : (!ori.r<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.brev "BREV R7, R4"
  %x36 = ori.brev %r4 : (!ori.r<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.prmt "PRMT R7, R4, 0x5410, R6"
  %x37 = ori.prmt %r4, %I21520, %r6 : (!ori.r<R4>, !ori.r, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.prmt "PRMT.RC8 R7, R4, R5, R6"
  %x38 = ori.prmt <rc8> %r4, %r5, %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.i2i "I2I.S8.S32.SAT R7, R4"
  %x39 = ori.i2i <to = s8, from = s32, saturate> %r4 : (!ori.r<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.i2ip "I2IP.U8.S32.SAT R7, R4, R5, R6"
  %x40 = ori.i2ip <to = u8, from = s32> %r4, %r5, %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.inst "CLMAD.HI R7, R4, R5, R6"
  %x41 = ori.clmad <high> %r4, %r5, %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.isetp "ISETP.LT.AND P1, PT, R4, -0x1, PT"
  %x42 = ori.isetp <lt, s32> %r4, %Im1 : (!ori.r<R4>, !ori.r) -> !ori.p<P1>
  // CHECK-NEXT: sass.isetp "ISETP.GE.U32.OR P1, P3, R4, R5, !P2"
  %x43:2 = ori.isetp <ge, u32, or> %r4, %r5 with(not %p2) : (!ori.r<R4>, !ori.r<R5>, !ori.p<P2>) -> (!ori.p<P1>, !ori.p<P3>)
  // CHECK-NEXT: sass.isetp "ISETP.GT.AND.EX P1, PT, R4, R5, P2, P0"
  %x44 = ori.isetp <gt, s32, extended> %r4, %r5 with(%p2) low(%p0) : (!ori.r<R4>, !ori.r<R5>, !ori.p<P2>, !ori.p<P0>) -> !ori.p<P1>
  // CHECK-NEXT: sass.plop3 "PLOP3.LUT P3, PT, P1, !P2, PT, 0x80, 0x0"
  %x45 = ori.plop3 <lut = 128> %p1, not %p2, %P1 : (!ori.p<P1>, !ori.p<P2>, !ori.p) -> !ori.p<P3>
  // CHECK-NEXT: sass.plop3 "PLOP3.LUT P3, P4, P1, P2, UP1, 0x80, 0x8"
  %x46:2 = ori.plop3 <lut = 128, second_lut = 8> %p1, %p2, %v1 : (!ori.p<P1>, !ori.p<P2>, !ori.up<UP1>) -> (!ori.p<P3>, !ori.p<P4>)
  // CHECK-NEXT: sass.p2r "P2R R7, PR, R4, 0x3"
  %x47 = ori.p2r <mask = 3> %r4 predicates(%p0, %p1) : (!ori.r<R4>, !ori.p<P0>, !ori.p<P1>) -> !ori.r<R7>
  // CHECK-NEXT: sass.r2p "R2P PR, R4, 0x3"
  %x48:2 = ori.r2p <mask = 3> %r4 : (!ori.r<R4>) -> (!ori.p<P0>, !ori.p<P1>)
  // CHECK-NEXT: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_90 target "sm_90a"
ori.func @since_90(%r4: !ori.r<R4>, %u4: !ori.ur<UR4>, %r5: !ori.r<R5>, %r6: !ori.r<R6>) target "sm_90a" {
  %Im8 = ori.imm -8 : !ori.r
  %I7 = ori.imm 7 : !ori.r
  %P0 = ori.imm 0 : !ori.p
  %P1 = ori.imm 1 : !ori.p
  %I3 = ori.imm 3 : !ori.r
  // CHECK: sass.viadd "VIADD R7, R4, 0xfffffff8"
  %x0 = ori.viadd %r4, %Im8 : (!ori.r<R4>, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.viadd "VIADD R7, R4, UR4"
  %x1 = ori.viadd %r4, %u4 : (!ori.r<R4>, !ori.ur<UR4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.vimnmx "VIMNMX R7, R4, 0x7, !PT"
  %x2 = ori.vimnmx <s32> %r4, %I7, %P0 : (!ori.r<R4>, !ori.r, !ori.p) -> !ori.r<R7>
  // CHECK-NEXT: sass.vimnmx "VIMNMX.U32 R7, R4, UR4, PT"
  %x3 = ori.vimnmx <u32> %r4, %u4, %P1 : (!ori.r<R4>, !ori.ur<UR4>, !ori.p) -> !ori.r<R7>
  // CHECK-NEXT: sass.vimnmx3 "VIMNMX3 R7, R4, R5, R6, !PT"
  %x4 = ori.vimnmx3 <max, s32> %r4, %r5, %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.viaddmnmx "VIADDMNMX.U32 R7, R4, R5, R6, PT"
  %x5 = ori.viaddmnmx <min, u32> %r4, %r5, %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.viaddmnmx "VIADDMNMX.RELU R7, R4, 0x3, R6, !PT"
  %x6 = ori.viaddmnmx <max, s32, relu> %r4, %I3, %r6 : (!ori.r<R4>, !ori.r, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.iadd3 "IADD3 R7, R4, UR4, R6"
  %x7 = ori.iadd3 %r4, %u4, %r6 : (!ori.r<R4>, !ori.ur<UR4>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_100 target "sm_100a"
ori.func @since_100(%r4: !ori.r<R4>, %r5: !ori.r<R5>, %r6: !ori.r<R6>, %p1: !ori.p<P1>) target "sm_100a" {
  %I7 = ori.imm 7 : !ori.r
  %P1 = ori.imm 1 : !ori.p
  // Both carries are written.
  // CHECK: sass.iadd3 "IADD3 R7, PT, PT, R4, -R5, R6"
  %x0 = ori.iadd3 %r4, neg %r5, %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> !ori.r<R7>
  // CHECK-NEXT: sass.iadd3 "IADD3 R7, P1, PT, R4, R5, R6"
  %x1:2 = ori.iadd3 %r4, %r5, %r6 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>) -> (!ori.r<R7>, !ori.p<P1>)
  // CHECK-NEXT: sass.iadd3 "IADD3.X R7, PT, PT, R4, R5, R6, P1, !PT"
  %x2 = ori.iadd3 <extended> %r4, %r5, %r6 carry(%p1) : (!ori.r<R4>, !ori.r<R5>, !ori.r<R6>, !ori.p<P1>) -> !ori.r<R7>
  // CHECK-NEXT: sass.vimnmx "VIMNMX R7, PT, PT, R4, 0x7, PT"
  %x3 = ori.vimnmx <s32> %r4, %I7, %P1 : (!ori.r<R4>, !ori.r, !ori.p) -> !ori.r<R7>
  // CHECK-NEXT: sass.ret
  ori.ret
}

// 0 - 0 carries, 0 + 0 does not: a zero that is subtracted keeps its sign where the carry is used.
// CHECK-LABEL: sass.func @negated_zero target "sm_80"
ori.func @negated_zero(%r4: !ori.r<R4>) target "sm_80" {
  %I0 = ori.imm 0 : !ori.r
  // CHECK: sass.iadd3 "IADD3 R7, P1, R4, -RZ, RZ"
  %x0:2 = ori.iadd3 %r4, neg %I0, %I0 : (!ori.r<R4>, !ori.r, !ori.r) -> (!ori.r<R7>, !ori.p<P1>)
  // CHECK-NEXT: sass.iadd3 "IADD3 R7, R4, RZ, RZ"
  %x1 = ori.iadd3 %r4, neg %I0, %I0 : (!ori.r<R4>, !ori.r, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_120 target "sm_120a"
ori.func @since_120(%r4: !ori.r<R4>) target "sm_120a" {
  %Im8 = ori.imm -8 : !ori.r
  %I7 = ori.imm 7 : !ori.r
  %P1 = ori.imm 1 : !ori.p
  // CHECK: sass.iadd "IADD R7, R4, -0x8"
  %x0 = ori.viadd %r4, %Im8 : (!ori.r<R4>, !ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.vimnmx "VIMNMX.S32 R7, R4, 0x7, PT"
  %x1 = ori.vimnmx <s32> %r4, %I7, %P1 : (!ori.r<R4>, !ori.r, !ori.p) -> !ori.r<R7>
  // CHECK-NEXT: sass.ret
  ori.ret
}
