// Floats: single, half and double precision, conversions: each instruction of the dialect in a line of real code, and back.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// CHECK-LABEL: sass.func @sm_100a target "sm_100a"
sass.func @sm_100a target "sm_100a" {
  // CHECK-NEXT: sass.fadd "FADD R0, R4, R3" <stall = 1>
  sass.fadd "FADD R0, R4, R3" <stall = 1>
  // CHECK-NEXT: sass.fmul "@P0 FMUL.FTZ R5, R4, R3" <stall = 1, wait = [0]>
  sass.fmul "@P0 FMUL.FTZ R5, R4, R3" <stall = 1, wait = [0]>
  // CHECK-NEXT: sass.ffma "@P0 FFMA R6, R7, R2, R4" <stall = 1>
  sass.ffma "@P0 FFMA R6, R7, R2, R4" <stall = 1>
  // CHECK-NEXT: sass.qmul4 "QMUL4.E4M3x4.E2M1x4.E4M3x4.SATFINITE R45, R45.N6420, R13.B3" <stall = 1>
  sass.qmul4 "QMUL4.E4M3x4.E2M1x4.E4M3x4.SATFINITE R45, R45.N6420, R13.B3" <stall = 1>
  // CHECK-NEXT: sass.fhfma "FHFMA R19, R6, R22, R3" <stall = 2>
  sass.fhfma "FHFMA R19, R6, R22, R3" <stall = 2>
  // CHECK-NEXT: sass.fadd2 "FADD2 R6, R4.F32x2.HI_LO, R6.F32x2.HI_LO" <stall = 4, yield, wait = [2]>
  sass.fadd2 "FADD2 R6, R4.F32x2.HI_LO, R6.F32x2.HI_LO" <stall = 4, yield, wait = [2]>
  // CHECK-NEXT: sass.fmul2 "FMUL2 R6, R6.F32x2.HI_LO, R16.F32x2.HI_LO" <stall = 4, yield>
  sass.fmul2 "FMUL2 R6, R6.F32x2.HI_LO, R16.F32x2.HI_LO" <stall = 4, yield>
  // CHECK-NEXT: sass.ffma2 "FFMA2 R4, R6.F32x2.HI_LO, R18.F32x2.HI_LO, R4.F32x2.HI_LO" <stall = 5, yield>
  sass.ffma2 "FFMA2 R4, R6.F32x2.HI_LO, R18.F32x2.HI_LO, R4.F32x2.HI_LO" <stall = 5, yield>
  // CHECK-NEXT: sass.fmnmx3 "FMNMX3 R18, R8, R9, R10, !PT" <stall = 2>
  sass.fmnmx3 "FMNMX3 R18, R8, R9, R10, !PT" <stall = 2>
  // CHECK-NEXT: sass.fsetp "FSETP.NEU.FTZ.AND P0, PT, R9, R8, PT" <stall = 2>
  sass.fsetp "FSETP.NEU.FTZ.AND P0, PT, R9, R8, PT" <stall = 2>
  // CHECK-NEXT: sass.fchk "FCHK P0, R0, R3" <stall = 1, wr = 1>
  sass.fchk "FCHK P0, R0, R3" <stall = 1, wr = 1>
  // CHECK-NEXT: sass.mufu "@P0 MUFU.RSQ R3, R4" <stall = 2, wr = 0>
  sass.mufu "@P0 MUFU.RSQ R3, R4" <stall = 2, wr = 0>
  // CHECK-NEXT: sass.hfma2 "HFMA2 R5, -RZ, RZ, 0, 0" <stall = 1>
  sass.hfma2 "HFMA2 R5, -RZ, RZ, 0, 0" <stall = 1>
  // CHECK-NEXT: sass.hmnmx2 "HMNMX2 R3, R0, R7, !PT" <stall = 5, yield, wait = [3]>
  sass.hmnmx2 "HMNMX2 R3, R0, R7, !PT" <stall = 5, yield, wait = [3]>
  // CHECK-NEXT: sass.hsetp2 "HSETP2.LT.XOR P0, PT, R0.H0_H0, R7.H0_H0, P0" <stall = 5, yield, wait = [3]>
  sass.hsetp2 "HSETP2.LT.XOR P0, PT, R0.H0_H0, R7.H0_H0, P0" <stall = 5, yield, wait = [3]>
  // CHECK-NEXT: sass.f2i "F2I.TRUNC.NTZ R3, R0" <stall = 1, wr = 0>
  sass.f2i "F2I.TRUNC.NTZ R3, R0" <stall = 1, wr = 0>
  // CHECK-NEXT: sass.i2fp "I2FP.F32.U32 R0, R5" <stall = 1>
  sass.i2fp "I2FP.F32.U32 R0, R5" <stall = 1>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_103a target "sm_103a"
sass.func @sm_103a target "sm_103a" {
  // CHECK-NEXT: sass.dadd "DADD R2, R2, R8" <stall = 2, wr = 1, wait = [1]>
  sass.dadd "DADD R2, R2, R8" <stall = 2, wr = 1, wait = [1]>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_120a target "sm_120a"
sass.func @sm_120a target "sm_120a" {
  // CHECK-NEXT: sass.f2fp "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R6, R17, R0, R3" <stall = 1>
  sass.f2fp "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R6, R17, R0, R3" <stall = 1>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_80 target "sm_80"
sass.func @sm_80 target "sm_80" {
  // CHECK-NEXT: sass.fsel "FSEL R27, R24, R25, P0" <stall = 1>
  sass.fsel "FSEL R27, R24, R25, P0" <stall = 1>
  // CHECK-NEXT: sass.hadd2 "HADD2 R7, R0, R5" <stall = 1, wait = [2]>
  sass.hadd2 "HADD2 R7, R0, R5" <stall = 1, wait = [2]>
  // CHECK-NEXT: sass.hmul2 "HMUL2 R7, R0, R5" <stall = 1, wait = [2]>
  sass.hmul2 "HMUL2 R7, R0, R5" <stall = 1, wait = [2]>
  // CHECK-NEXT: sass.f2f "F2F.F32.F64 R6, R22" <stall = 1, wr = 3>
  sass.f2f "F2F.F32.F64 R6, R22" <stall = 1, wr = 3>
  // CHECK-NEXT: sass.i2f "I2F.RP R8, R0" <stall = 1, wr = 4>
  sass.i2f "I2F.RP R8, R0" <stall = 1, wr = 4>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_90a target "sm_90a"
sass.func @sm_90a target "sm_90a" {
  // CHECK-NEXT: sass.fmnmx "FMNMX R11, R6, R7, !PT" <stall = 2>
  sass.fmnmx "FMNMX R11, R6, R7, !PT" <stall = 2>
  // CHECK-NEXT: sass.frnd "FRND.F64 R4, R64" <stall = 1, wr = 4, rd = 1>
  sass.frnd "FRND.F64 R4, R64" <stall = 1, wr = 4, rd = 1>
  // CHECK-NEXT: sass.dmul "DMUL R8, R6, R10" <stall = 2>
  sass.dmul "DMUL R8, R6, R10" <stall = 2>
  // CHECK-NEXT: sass.dfma "DFMA R8, R4, R2, R6" <stall = 2>
  sass.dfma "DFMA R8, R4, R2, R6" <stall = 2>
  // CHECK-NEXT: sass.dsetp "DSETP.MIN.AND P0, P1, R4, R20, PT" <stall = 1>
  sass.dsetp "DSETP.MIN.AND P0, P1, R4, R20, PT" <stall = 1>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// Not in the code compiled for this test; operands as in related instructions.
// CHECK-LABEL: sass.func @written_by_hand target "sm_90a"
sass.func @written_by_hand target "sm_90a" {
  // CHECK-NEXT: sass.fset "FSET.BF.GT.FTZ.AND R4, R5, R6, PT" <stall = 5>
  sass.fset "FSET.BF.GT.FTZ.AND R4, R5, R6, PT" <stall = 5>
  // CHECK-NEXT: sass.fswzadd "FSWZADD R4, R5, R6, 0x99" <stall = 5>
  sass.fswzadd "FSWZADD R4, R5, R6, 0x99" <stall = 5>
  // CHECK-NEXT: sass.fhadd "FHADD R4, R5, R6" <stall = 5>
  sass.fhadd "FHADD R4, R5, R6" <stall = 5>
  // CHECK-NEXT: sass.hset2 "HSET2.BF.GE.AND R4, R5, R6, PT" <stall = 5>
  sass.hset2 "HSET2.BF.GE.AND R4, R5, R6, PT" <stall = 5>
  // CHECK-NEXT: sass.dmnmx "DMNMX R4, R6, R8, PT" <stall = 5>
  sass.dmnmx "DMNMX R4, R6, R8, PT" <stall = 5>
  // CHECK-NEXT: sass.f2ip "F2IP.S8.F32.NTZ R4, R5, R6, R7" <stall = 5>
  sass.f2ip "F2IP.S8.F32.NTZ R4, R5, R6, R7" <stall = 5>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}
