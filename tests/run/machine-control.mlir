// Control flow of machine code: each lane has its own place in the code; lanes meet where an instruction
// makes them.
//
// RUN: orison-translate --run %S/machine/lanes.json %s | FileCheck %s

// Lanes 0 to 15 add 1 in a function, the others 2; lane 31 leaves the region without waiting. Then each sums
// its number of turns in a loop, up to 3. The result is four times the first number, plus the second, and the
// complement of the ballot of those that are together.
// CHECK: "divergent_branches": {{[1-9]}}
// CHECK: "out": [
// CHECK-NEXT: 2147483652,
// CHECK-NEXT: 2147483653,
// CHECK-NEXT: 2147483654,
// CHECK-NEXT: 2147483655,
// CHECK-NEXT: 2147483652,
// CHECK: 2147483656,
// CHECK-NEXT: 2147483657,
// CHECK-NEXT: 2147483658,
// CHECK-NEXT: 2147483659,
// CHECK-NEXT: 2147483656,
// Lane 31.
// CHECK: 1000
// CHECK-NEXT: ]

sass.func @k target "sm_90a" {
  sass.ldc "LDC.64 R20, c[0x0][0x210]" <stall = 1>
  sass.s2r "S2R R0, SR_LANEID" <stall = 1, wr = 0>
  sass.imad "IMAD.WIDE.U32 R20, R0, 0x4, R20" <stall = 1, wait = [0]>
  sass.mov "MOV R1, RZ" <stall = 1>
  sass.isetp "ISETP.EQ.AND P1, PT, R0, 0x1f, PT" <stall = 13, yield>
  sass.isetp "ISETP.LT.AND P0, PT, R0, 0x10, PT" <stall = 13, yield>
  sass.bssy "BSSY B0, `(.L_meet)" <stall = 5>
  sass.break "@P1 BREAK B0" <stall = 5>
  sass.bra "@P1 BRA `(.L_alone)" <stall = 5> [^bb9, ^bb1]
^bb1:
  sass.bra "@P0 BRA `(.L_low)" <stall = 5> [^bb3, ^bb2]
^bb2:
  sass.iadd3 "IADD3 R1, R1, 0x2, RZ" <stall = 1>
  sass.bra "BRA `(.L_loop)" <stall = 5> [^bb5]
^bb3:
  sass.notes [".L_low:"]
  sass.mov "MOV R4, 0xf0" <stall = 1>
  sass.mov "MOV R5, 0x0" <stall = 1>
  sass.call "CALL.REL.NOINC `(helper)" <stall = 5> [^bb4]
^bb4:
  sass.nop "NOP" <stall = 1>
  sass.fall_through ^bb5
^bb5:
  sass.notes [".L_loop:"]
  sass.lop3 "LOP3.LUT R2, R0, 0x3, RZ, 0xc0, !PT" <stall = 1>
  sass.mov "MOV R3, RZ" <stall = 1>
  sass.fall_through ^bb6
^bb6:
  sass.notes [".L_turn:"]
  sass.isetp "ISETP.LT.AND P2, PT, R3, R2, PT" <stall = 13, yield>
  sass.iadd3 "@P2 IADD3 R3, R3, 0x1, RZ" <stall = 1>
  sass.bra "@P2 BRA `(.L_turn)" <stall = 5> [^bb6, ^bb7]
^bb7:
  sass.notes [".L_meet:"]
  sass.bsync "BSYNC B0" <stall = 5> [^bb8]
^bb8:
  sass.lea "LEA R3, R1, R3, 0x2" <stall = 1>
  // Lane 31 is not there: bit 31 of the complement.
  sass.vote "VOTE.ANY R6, PT, PT" <stall = 1>
  sass.lop3 "LOP3.LUT R6, R6, R3, RZ, 0xcf, !PT" <stall = 1>
  sass.stg "STG.E desc[UR4][R20.64], R6" <stall = 1>
  sass.exit "EXIT" <stall = 5>
^bb9:
  sass.notes [".L_alone:"]
  sass.mov "MOV R3, 0x3e8" <stall = 1>
  sass.stg "STG.E desc[UR4][R20.64], R3" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

sass.func @helper target "sm_90a" {
  sass.iadd3 "IADD3 R1, R1, 0x1, RZ" <stall = 1>
  sass.ret "RET.REL.NODEC R4 `(k)" <stall = 5>
}
