// Memory of machine code: shared memory with a scaled index, local memory at the stack pointer, copies to
// shared memory that a predicate makes zero, atomic operations, parts of registers.
//
// RUN: orison-translate --run %S/machine/words.json %s | FileCheck %s

// CHECK: "out": [

sass.func @k target "sm_80" {
  sass.imad "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]" <stall = 1>
  sass.s2r "S2R R0, SR_LANEID" <stall = 1, wr = 0>
  sass.imad "IMAD.MOV.U32 R20, RZ, RZ, c[0x0][0x160]" <stall = 1>
  sass.imad "IMAD.MOV.U32 R21, RZ, RZ, c[0x0][0x164]" <stall = 1>
  sass.isetp "ISETP.NE.AND P0, PT, R0, RZ, PT" <stall = 13, yield, wait = [0]>
  sass.exit "@P0 EXIT" <stall = 5> [^bb1]
^bb1:
  // The frame of a thread is below the end of its local memory.
  sass.iadd3 "IADD3 R1, R1, -0x10, RZ" <stall = 1>
  sass.mov "MOV R2, 0x81828384" <stall = 1>
  sass.stl "STL [R1+0x8], R2" <stall = 1>
  sass.ldl "LDL.S8 R3, [R1+0x9]" <stall = 1, wr = 0>
  sass.ldl "LDL.U16 R4, [R1+0xa]" <stall = 1, wr = 0>
  sass.mov "MOV R5, 0x3" <stall = 1>
  sass.sts "STS [R5.X4+0x4], R2" <stall = 1>
  sass.lds "LDS.U8 R6, [0x11]" <stall = 1, wr = 0>
  sass.stg "STG.E [R20.64+0x3c], R5" <stall = 1>
  // The first copy reads 3, the second one zeros.
  sass.isetp "ISETP.EQ.AND P1, PT, R5, RZ, PT" <stall = 13, yield>
  sass.ldgsts "LDGSTS.E [RZ], [R20.64+0x3c], !P1" <stall = 1>
  sass.ldgsts "LDGSTS.E [0x4], [R20.64+0x3c], P1" <stall = 1>
  sass.ldgdepbar "LDGDEPBAR" <stall = 1>
  sass.depbar "DEPBAR.LE SB0, 0x0" <stall = 1>
  sass.lds "LDS.64 R8, [RZ]" <stall = 1, wr = 0>
  sass.mov "MOV R10, 0x9" <stall = 1>
  sass.atomg "ATOMG.E.CAS.STRONG.GPU PT, R11, [R20.64+0x3c], R5, R10" <stall = 1, wr = 0>
  sass.atoms "ATOMS.MAX.S32 R12, [RZ], R2" <stall = 1, wr = 0>
  sass.lds "LDS R13, [RZ]" <stall = 1, wr = 0>
  // Of a register only the bits that were written are defined; the others decide nothing here.
  sass.ldg "LDG.E.U16 R14, [R20.64+0x3c]" <stall = 1, wr = 0>
  sass.prmt "PRMT R15, R14, 0x7610, R16" <stall = 1>
  sass.stg "STG.E.U16 [R20.64+0x24], R15" <stall = 1>
  // CHECK-NEXT: 4294967171,
  // CHECK-NEXT: 33154,
  // CHECK-NEXT: 131,
  // CHECK-NEXT: 3,
  // CHECK-NEXT: 0,
  // CHECK-NEXT: 3,
  // CHECK-NEXT: 3,
  // CHECK-NEXT: 3,
  // CHECK-NEXT: 0,
  // CHECK-NEXT: 9,
  sass.stg "STG.E [R20.64], R3" <stall = 1>
  sass.stg "STG.E [R20.64+0x4], R4" <stall = 1>
  sass.stg "STG.E [R20.64+0x8], R6" <stall = 1>
  sass.stg "STG.E.64 [R20.64+0x10], R8" <stall = 1>
  sass.stg "STG.E [R20.64+0xc], R8" <stall = 1>
  sass.stg "STG.E [R20.64+0x10], R9" <stall = 1>
  sass.stg "STG.E [R20.64+0x14], R11" <stall = 1>
  sass.stg "STG.E [R20.64+0x18], R12" <stall = 1>
  sass.stg "STG.E [R20.64+0x1c], R13" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}
