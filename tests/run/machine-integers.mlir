// Integers, bits and predicates of machine code.
//
// RUN: orison-translate --run %S/machine/words.json %s | FileCheck %s

// CHECK: "out": [

sass.func @k target "sm_80" {
  sass.uldc "ULDC.64 UR4, c[0x0][0x160]" <stall = 1>
  sass.umov "UMOV UR6, 0xffffffff" <stall = 1>
  sass.mov "MOV R0, 0x80000001" <stall = 1>
  sass.mov "MOV R1, 0xffffffff" <stall = 1>
  // A carry from the low to the high word: 0xffffffff + 0x80000001 = 0x1_80000000.
  sass.iadd3 "IADD3 R2, P0, R0, R1, RZ" <stall = 1>
  sass.iadd3 "IADD3.X R3, RZ, RZ, RZ, P0, !PT" <stall = 1>
  // Three words of which two carry: 0xffffffff * 3 = 0x2_fffffffd.
  sass.iadd3 "IADD3 R4, P0, P1, R1, R1, UR6" <stall = 1>
  sass.iadd3 "IADD3.X R5, RZ, RZ, RZ, P0, P1" <stall = 1>
  // -1 * 0x80000001 + (0, 1), signed and unsigned.
  sass.imad "IMAD.WIDE R6, R1, R0, RZ" <stall = 1>
  sass.imad "IMAD.HI.U32 R8, R1, R0, RZ" <stall = 1>
  // (0x1_80000000 >> 31) and the sign of R0.
  sass.shf "SHF.R.U64 R9, R2, 0x1f, R3" <stall = 1>
  sass.shf "SHF.R.S32.HI R10, RZ, 0x1f, R0" <stall = 1>
  // R1 is not less than R0 as words without a sign, but as low words below equal ones.
  sass.isetp "ISETP.LT.U32.AND P2, PT, R0, R1, PT" <stall = 13, yield>
  sass.isetp "ISETP.LT.AND.EX P3, PT, R1, R1, PT, P2" <stall = 13, yield>
  sass.p2r "P2R R11, PR, RZ, 0xc" <stall = 1>
  sass.lop3 "LOP3.LUT P4, RZ, R0, 0x2, RZ, 0xc0, !PT" <stall = 1>
  sass.sel "SEL R12, R0, 0x7, P4" <stall = 1>
  sass.prmt "PRMT R13, R0, 0x3340, RZ" <stall = 1>
  sass.flo "FLO.U32 R14, R2" <stall = 1>
  sass.lea "LEA.HI R15, R0, R11, RZ, 0x5" <stall = 1>
  sass.mov "MOV R20, UR4" <stall = 1>
  sass.mov "MOV R21, UR5" <stall = 1>
  // CHECK-NEXT: 2147483648,
  // CHECK-NEXT: 1,
  // CHECK-NEXT: 4294967293,
  // CHECK-NEXT: 2,
  // CHECK-NEXT: 2147483647,
  // CHECK-NEXT: 0,
  // CHECK-NEXT: 2147483648,
  // CHECK-NEXT: 3,
  // CHECK-NEXT: 4294967295,
  // CHECK-NEXT: 12,
  // CHECK-NEXT: 7,
  // CHECK-NEXT: 2155872257,
  // CHECK-NEXT: 31,
  // CHECK-NEXT: 28,
  sass.stg "STG.E.64 [R20.64], R2" <stall = 1>
  sass.stg "STG.E.64 [R20.64+0x8], R4" <stall = 1>
  sass.stg "STG.E.64 [R20.64+0x10], R6" <stall = 1>
  sass.stg "STG.E [R20.64+0x18], R8" <stall = 1>
  sass.stg "STG.E [R20.64+0x1c], R9" <stall = 1>
  sass.stg "STG.E [R20.64+0x20], R10" <stall = 1>
  sass.stg "STG.E [R20.64+0x24], R11" <stall = 1>
  sass.stg "STG.E [R20.64+0x28], R12" <stall = 1>
  sass.stg "STG.E [R20.64+0x2c], R13" <stall = 1>
  sass.stg "STG.E [R20.64+0x30], R14" <stall = 1>
  sass.stg "STG.E [R20.64+0x34], R15" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}
