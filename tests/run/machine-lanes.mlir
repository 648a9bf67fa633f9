// Exchange between lanes, uniform registers, barriers with a result.
//
// RUN: orison-translate --run %S/machine/words.json %s | FileCheck %s

// CHECK: "out": [

sass.func @k target "sm_100a" {
  sass.ldc "LDC.64 R20, c[0x0][0x380]" <stall = 1>
  sass.s2r "S2R R0, SR_LANEID" <stall = 1, wr = 0>
  sass.isetp "ISETP.GE.AND P0, PT, R0, 0x1d, PT" <stall = 13, yield, wait = [0]>
  // Lane 31 reads lane 30, and lane 0 nothing.
  sass.shfl "SHFL.UP P1, R1, R0, 0x1, RZ" <stall = 1, wr = 0>
  sass.vote "VOTE.ANY R2, PT, P0" <stall = 1>
  sass.lop3 "LOP3.LUT R3, R0, 0x1, RZ, 0xc0, !PT" <stall = 1>
  sass.match "MATCH.ANY R4, R3" <stall = 1, wr = 0>
  sass.redux "REDUX.SUM.S32 UR4, R0" <stall = 1, wr = 0>
  sass.voteu "VOTEU.ANY UP0, P0" <stall = 1>
  // A uniform register belongs to the warp: what lane 31 alone writes, all read.
  sass.isetp "ISETP.EQ.AND P2, PT, R0, 0x1f, PT" <stall = 13, yield>
  sass.r2ur "@P2 R2UR UR5, R0" <stall = 1>
  sass.uiadd3 "@UP0 UIADD3 UR5, UPT, UPT, UR5, 0x1, URZ" <stall = 1>
  sass.bar "BAR.RED.POPC.DEFER_BLOCKING 0x0, P0" <stall = 6>
  sass.b2r "B2R.RESULT R5" <stall = 1, wr = 0>
  sass.elect "ELECT P3, UR6, PT" <stall = 1>
  sass.sel "SEL R6, R0, 0x63, P3" <stall = 1>
  sass.sel "SEL R7, RZ, 0x1, P1" <stall = 1>
  sass.mov "MOV R8, UR4" <stall = 1>
  sass.mov "MOV R9, UR5" <stall = 1>
  sass.mov "MOV R10, UR6" <stall = 1>
  // CHECK-NEXT: 30,
  // CHECK-NEXT: 3758096384,
  // CHECK-NEXT: 2863311530,
  // CHECK-NEXT: 3,
  // CHECK-NEXT: 99,
  // CHECK-NEXT: 0,
  // CHECK-NEXT: 496,
  // CHECK-NEXT: 32,
  // CHECK-NEXT: 0,
  sass.stg "@P2 STG.E desc[UR8][R20.64], R1" <stall = 1>
  sass.stg "@P2 STG.E desc[UR8][R20.64+0x4], R2" <stall = 1>
  sass.stg "@P2 STG.E desc[UR8][R20.64+0x8], R4" <stall = 1>
  sass.stg "@P2 STG.E desc[UR8][R20.64+0xc], R5" <stall = 1>
  sass.stg "@P2 STG.E desc[UR8][R20.64+0x10], R6" <stall = 1>
  sass.stg "@P2 STG.E desc[UR8][R20.64+0x14], R7" <stall = 1>
  sass.stg "@P2 STG.E desc[UR8][R20.64+0x18], R8" <stall = 1>
  sass.stg "@P2 STG.E desc[UR8][R20.64+0x1c], R9" <stall = 1>
  sass.stg "@P2 STG.E desc[UR8][R20.64+0x20], R10" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}
