// Loads, stores, atomics, bulk copies, textures and surfaces: each instruction of the dialect in a line of real code, and back.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// CHECK-LABEL: sass.func @sm_100a target "sm_100a"
sass.func @sm_100a target "sm_100a" {
  // CHECK-NEXT: sass.ldgmc "LDGMC.E.HPADD.E5M2x4.RN.STRONG.SYS R16, [R12.64+URZ]" <stall = 1, wr = 3>
  sass.ldgmc "LDGMC.E.HPADD.E5M2x4.RN.STRONG.SYS R16, [R12.64+URZ]" <stall = 1, wr = 3>
  // CHECK-NEXT: sass.ldg "LDG.E.ENL2.256 R24, R20, desc[UR8][R36.64]" <stall = 1, wr = 3, wait = [1]>
  sass.ldg "LDG.E.ENL2.256 R24, R20, desc[UR8][R36.64]" <stall = 1, wr = 3, wait = [1]>
  // CHECK-NEXT: sass.ldc "LDC R6, c[0x2][R2]" <stall = 2, wr = 1>
  sass.ldc "LDC R6, c[0x2][R2]" <stall = 2, wr = 1>
  // CHECK-NEXT: sass.ldcu "LDCU UR5, c[0x0][0x380]" <stall = 7, wr = 1>
  sass.ldcu "LDCU UR5, c[0x0][0x380]" <stall = 7, wr = 1>
  // CHECK-NEXT: sass.stg "STG.E.ENL2.256 desc[UR8][R2.64], R20, R24" <stall = 4, rd = 0, wait = [3]>
  sass.stg "STG.E.ENL2.256 desc[UR8][R2.64], R20, R24" <stall = 4, rd = 0, wait = [3]>
  // CHECK-NEXT: sass.utmastg "@UP0 UTMASTG.2D [UR12], [UR4]" <stall = 1, rd = 1>
  sass.utmastg "@UP0 UTMASTG.2D [UR12], [UR4]" <stall = 1, rd = 1>
  // CHECK-NEXT: sass.utmacctl "UTMACCTL.IV [UR4]" <stall = 1, rd = 1, wait = [4]>
  sass.utmacctl "UTMACCTL.IV [UR4]" <stall = 1, rd = 1, wait = [4]>
  // CHECK-NEXT: sass.ugetnextworkid "UGETNEXTWORKID.SELFCAST [UR4], [UR5]" <stall = 12, yield>
  sass.ugetnextworkid "UGETNEXTWORKID.SELFCAST [UR4], [UR5]" <stall = 12, yield>
  // CHECK-NEXT: sass.txq "TXQ RZ, R0, R0, TEX_HEADER_DIMENSION, UR4, 0x0, 0x1" <stall = 15, yield, wr = 0, rd = 1, wait = [0, 1]>
  sass.txq "TXQ RZ, R0, R0, TEX_HEADER_DIMENSION, UR4, 0x0, 0x1" <stall = 15, yield, wr = 0, rd = 1, wait = [0, 1]>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_120a target "sm_120a"
sass.func @sm_120a target "sm_120a" {
  // CHECK-NEXT: sass.sts "STS [R22+UR5], R23" <stall = 1>
  sass.sts "STS [R22+UR5], R23" <stall = 1>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_75 target "sm_75"
sass.func @sm_75 target "sm_75" {
  // CHECK-NEXT: sass.qspc "QSPC.E.S P0, RZ, [R2]" <stall = 15, yield, wr = 0, rd = 1, wait = [0, 1]>
  sass.qspc "QSPC.E.S P0, RZ, [R2]" <stall = 15, yield, wr = 0, rd = 1, wait = [0, 1]>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_80 target "sm_80"
sass.func @sm_80 target "sm_80" {
  // CHECK-NEXT: sass.ldl "LDL R5, [R4]" <stall = 4, wr = 2>
  sass.ldl "LDL R5, [R4]" <stall = 4, wr = 2>
  // CHECK-NEXT: sass.uldc "ULDC UR5, c[0x3][UR8]" <stall = 2>
  sass.uldc "ULDC UR5, c[0x3][UR8]" <stall = 2>
  // CHECK-NEXT: sass.ldsm "LDSM.16.M88.4 R52, [R0+UR4]" <stall = 7>
  sass.ldsm "LDSM.16.M88.4 R52, [R0+UR4]" <stall = 7>
  // CHECK-NEXT: sass.stl "STL [R4], R7" <stall = 4, rd = 0, wait = [3]>
  sass.stl "STL [R4], R7" <stall = 4, rd = 0, wait = [3]>
  // CHECK-NEXT: sass.atomg "ATOMG.E.CAS.64.STRONG.GPU PT, R26, [R8], R4, R6" <stall = 4, wr = 2, wait = [2]>
  sass.atomg "ATOMG.E.CAS.64.STRONG.GPU PT, R26, [R8], R4, R6" <stall = 4, wr = 2, wait = [2]>
  // CHECK-NEXT: sass.atoms "ATOMS.CAS R17, [0x14], R10, R11" <stall = 2, wr = 0, wait = [0]>
  sass.atoms "ATOMS.CAS R17, [0x14], R10, R11" <stall = 2, wr = 0, wait = [0]>
  // CHECK-NEXT: sass.red "RED.E.ADD.64.STRONG.GPU [R2.64], R4" <stall = 4>
  sass.red "RED.E.ADD.64.STRONG.GPU [R2.64], R4" <stall = 4>
  // CHECK-NEXT: sass.ldgdepbar "LDGDEPBAR" <stall = 4, wr = 0>
  sass.ldgdepbar "LDGDEPBAR" <stall = 4, wr = 0>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_90 target "sm_90"
sass.func @sm_90 target "sm_90" {
  // CHECK-NEXT: sass.tex "TEX.LL P0, R20, R2, R8, R7, UR4, 0x0, 2D" <stall = 1, wr = 5>
  sass.tex "TEX.LL P0, R20, R2, R8, R7, UR4, 0x0, 2D" <stall = 1, wr = 5>
  // CHECK-NEXT: sass.tld "TLD.LZ.MS R22, R36, R22, R0, UR4, 0x0, 2D" <stall = 1, wr = 5>
  sass.tld "TLD.LZ.MS R22, R36, R22, R0, UR4, 0x0, 2D" <stall = 1, wr = 5>
  // CHECK-NEXT: sass.tld4 "TLD4.R.AOFFI.DC P1, R26, R28, R28, R26, UR4, 0x0, 2D" <stall = 1, wr = 5>
  sass.tld4 "TLD4.R.AOFFI.DC P1, R26, R28, R28, R26, UR4, 0x0, 2D" <stall = 1, wr = 5>
  // CHECK-NEXT: sass.txd "TXD R18, R16, R24, R16, UR4, 0x0, 2D" <stall = 1, wr = 5>
  sass.txd "TXD R18, R16, R24, R16, UR4, 0x0, 2D" <stall = 1, wr = 5>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_90a target "sm_90a"
sass.func @sm_90a target "sm_90a" {
  // CHECK-NEXT: sass.ld "LD.E.64 R12, desc[UR16][R72.64+0x8]" <stall = 1, wr = 3>
  sass.ld "LD.E.64 R12, desc[UR16][R72.64+0x8]" <stall = 1, wr = 3>
  // CHECK-NEXT: sass.lds "LDS R6, [R21+UR4+0x1000]" <stall = 4, wr = 1>
  sass.lds "LDS R6, [R21+UR4+0x1000]" <stall = 4, wr = 1>
  // CHECK-NEXT: sass.st "ST.E desc[UR16][R72.64], R17" <stall = 4, wait = [2]>
  sass.st "ST.E desc[UR16][R72.64], R17" <stall = 4, wait = [2]>
  // CHECK-NEXT: sass.stas "STAS.64 [R14.64], R8" <stall = 4>
  sass.stas "STAS.64 [R14.64], R8" <stall = 4>
  // CHECK-NEXT: sass.stsm "STSM.16.M88.2 [R57+0x10], R58" <stall = 4, wait = [1]>
  sass.stsm "STSM.16.M88.2 [R57+0x10], R58" <stall = 4, wait = [1]>
  // CHECK-NEXT: sass.atom "@P0 ATOM.E.ADD.STRONG.GPU PT, R11, [RZ.U32+UR4], R10" <stall = 1, wr = 2>
  sass.atom "@P0 ATOM.E.ADD.STRONG.GPU PT, R11, [RZ.U32+UR4], R10" <stall = 1, wr = 2>
  // CHECK-NEXT: sass.redg "REDG.E.ADD.64.STRONG.GPU desc[UR16][R54.64], R4" <stall = 4>
  sass.redg "REDG.E.ADD.64.STRONG.GPU desc[UR16][R54.64], R4" <stall = 4>
  // CHECK-NEXT: sass.redas "REDAS.ADD [R14.64], R0" <stall = 13, yield>
  sass.redas "REDAS.ADD [R14.64], R0" <stall = 13, yield>
  // CHECK-NEXT: sass.cctl "CCTL.E.PF2 [R72]" <stall = 4>
  sass.cctl "CCTL.E.PF2 [R72]" <stall = 4>
  // CHECK-NEXT: sass.ldgsts "LDGSTS.E [R15], desc[UR10][R6.64], P0" <stall = 1>
  sass.ldgsts "LDGSTS.E [R15], desc[UR10][R6.64], P0" <stall = 1>
  // CHECK-NEXT: sass.arrives "ARRIVES.LDGSTSBAR.64.ARVCNT [UR4+0x200]" <stall = 1>
  sass.arrives "ARRIVES.LDGSTSBAR.64.ARVCNT [UR4+0x200]" <stall = 1>
  // CHECK-NEXT: sass.depbar "DEPBAR {5,4,3,2,1,0}" <stall = 4, yield>
  sass.depbar "DEPBAR {5,4,3,2,1,0}" <stall = 4, yield>
  // CHECK-NEXT: sass.utmaldg "UTMALDG.5D [UR8], [UR18], desc[UR4]" <stall = 2, rd = 1>
  sass.utmaldg "UTMALDG.5D [UR8], [UR18], desc[UR4]" <stall = 2, rd = 1>
  // CHECK-NEXT: sass.utmaredg "UTMAREDG.2D.ADD [UR8], [UR18]" <stall = 2, rd = 1>
  sass.utmaredg "UTMAREDG.2D.ADD [UR8], [UR18]" <stall = 2, rd = 1>
  // CHECK-NEXT: sass.utmapf "UTMAPF.L2.2D [UR4], [UR18]" <stall = 8, rd = 1>
  sass.utmapf "UTMAPF.L2.2D [UR4], [UR18]" <stall = 8, rd = 1>
  // CHECK-NEXT: sass.utmacmdflush "UTMACMDFLUSH" <stall = 1, rd = 0>
  sass.utmacmdflush "UTMACMDFLUSH" <stall = 1, rd = 0>
  // CHECK-NEXT: sass.ublkcp "UBLKCP.S.G [UR8], [UR6], UR4" <stall = 2, rd = 2>
  sass.ublkcp "UBLKCP.S.G [UR8], [UR6], UR4" <stall = 2, rd = 2>
  // CHECK-NEXT: sass.ublkred "UBLKRED.G.S.ADD [UR6], [UR8], UR4" <stall = 2, rd = 2>
  sass.ublkred "UBLKRED.G.S.ADD [UR6], [UR8], UR4" <stall = 2, rd = 2>
  // CHECK-NEXT: sass.ublkpf "UBLKPF.L2 [UR6], UR4" <stall = 8, rd = 2>
  sass.ublkpf "UBLKPF.L2 [UR6], UR4" <stall = 8, rd = 2>
  // CHECK-NEXT: sass.suld "SULD.D.BA.2D.STRONG.SM.TRAP R5, [R8], UR6, 0x0" <stall = 1, wr = 5, wait = [0]>
  sass.suld "SULD.D.BA.2D.STRONG.SM.TRAP R5, [R8], UR6, 0x0" <stall = 1, wr = 5, wait = [0]>
  // CHECK-NEXT: sass.sust "SUST.P.2D.STRONG.SM.R.TRAP [R12], R5, UR6, 0x0" <stall = 1, rd = 1>
  sass.sust "SUST.P.2D.STRONG.SM.R.TRAP [R12], R5, UR6, 0x0" <stall = 1, rd = 1>
  // CHECK-NEXT: sass.sured "SURED.D.BA.2D.ADD.STRONG.SYS.TRAP [R8], R5, UR6, 0x0" <stall = 1, rd = 1>
  sass.sured "SURED.D.BA.2D.ADD.STRONG.SYS.TRAP [R8], R5, UR6, 0x0" <stall = 1, rd = 1>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// Not in the code compiled for this test; operands as in related instructions.
// CHECK-LABEL: sass.func @written_by_hand target "sm_90a"
sass.func @written_by_hand target "sm_90a" {
  // CHECK-NEXT: sass.cctll "CCTLL.IVALL" <stall = 5>
  sass.cctll "CCTLL.IVALL" <stall = 5>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}
