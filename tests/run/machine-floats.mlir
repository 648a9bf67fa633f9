// Floats, halves and conversions of machine code, with numbers in decimal.
//
// RUN: orison-translate --run %S/machine/words.json %s | FileCheck %s

// CHECK: "out": [

sass.func @k target "sm_100a" {
  sass.ldc "LDC.64 R20, c[0x0][0x380]" <stall = 1>
  // A pair of halves: the high one is 1.875, so that the word is 1.0.
  sass.hfma2 "HFMA2 R0, -RZ, RZ, 1.875, 0" <stall = 1>
  // 1 + 0.5 in both floats of a pair, minus a float for both: 1.5 - 1 and 0.5 - 1.
  sass.mov "MOV R2, 0x3fc00000" <stall = 1>
  sass.mov "MOV R3, 0x3f000000" <stall = 1>
  sass.fadd2 "FADD2 R2, R2.F32x2.HI_LO, -R0.F32" <stall = 1>
  sass.ffma "FFMA.RM R4, R0, 0.10000000149011611938, -RZ" <stall = 1>
  sass.fsetp "FSETP.GTU.FTZ.AND P0, PT, |R3|, +INF , PT" <stall = 13, yield>
  sass.fsel "FSEL R5, R0, 0.25, P0" <stall = 1>
  sass.mufu "MUFU.RSQ R6, -QNAN " <stall = 1>
  sass.f2fp "F2FP.F16.F32.PACK_AB R7, R0, R2" <stall = 1>
  sass.hadd2 "HADD2.F32 R8, -RZ, R7.H1_H1" <stall = 1>
  sass.i2f "I2F.RP R9, R7" <stall = 1>
  sass.f2i "F2I.TRUNC.NTZ R10, R6" <stall = 1>
  // 0x3ff00000 is the high word of 1.0.
  sass.f2f "F2F.F64.F32 R12, R0" <stall = 1>
  sass.dfma "DFMA R12, R12, 2, -R12" <stall = 1>
  sass.i2f "I2F.U16 R14, R7.H1" <stall = 1>
  // The smaller of 1 and -|1| is the second.
  sass.dsetp "DSETP.MIN.AND P1, P2, R12, -|R12|, PT" <stall = 13, yield>
  sass.sel "SEL R15, R0, 0x3, P1" <stall = 5>
  // CHECK-NEXT: 1065353216,
  // CHECK-NEXT: 1056964608,
  // CHECK-NEXT: 3204448256,
  // CHECK-NEXT: 1036831949,
  // CHECK-NEXT: 1048576000,
  // CHECK-NEXT: 2147483647,
  // CHECK-NEXT: 1006647296,
  // CHECK-NEXT: 1065353216,
  // CHECK-NEXT: 1315963104,
  // CHECK-NEXT: 0,
  // CHECK-NEXT: 1072693248,
  // CHECK-NEXT: 1181745152,
  // CHECK-NEXT: 3,
  sass.stg "STG.E desc[UR4][R20.64], R0" <stall = 1>
  sass.stg "STG.E desc[UR4][R20.64+0x4], R2" <stall = 1>
  sass.stg "STG.E desc[UR4][R20.64+0x8], R3" <stall = 1>
  sass.stg "STG.E desc[UR4][R20.64+0xc], R4" <stall = 1>
  sass.stg "STG.E desc[UR4][R20.64+0x10], R5" <stall = 1>
  sass.stg "STG.E desc[UR4][R20.64+0x14], R6" <stall = 1>
  sass.stg "STG.E desc[UR4][R20.64+0x18], R7" <stall = 1>
  sass.stg "STG.E desc[UR4][R20.64+0x1c], R8" <stall = 1>
  sass.stg "STG.E desc[UR4][R20.64+0x20], R9" <stall = 1>
  sass.stg "STG.E desc[UR4][R20.64+0x24], R10" <stall = 1>
  sass.stg "STG.E desc[UR4][R20.64+0x28], R13" <stall = 1>
  sass.stg "STG.E desc[UR4][R20.64+0x2c], R14" <stall = 1>
  sass.stg "STG.E desc[UR4][R20.64+0x30], R15" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}
