// Moves, special registers and exchanges between lanes: each instruction of the dialect in a line of real code, and back.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// CHECK-LABEL: sass.func @sm_100a target "sm_100a"
sass.func @sm_100a target "sm_100a" {
  // CHECK-NEXT: sass.mov "@!P0 MOV R3, R0" <stall = 1>
  sass.mov "@!P0 MOV R3, R0" <stall = 1>
  // CHECK-NEXT: sass.s2r "S2R R3, SR_TID.X" <stall = 7, wr = 0>
  sass.s2r "S2R R3, SR_TID.X" <stall = 7, wr = 0>
  // CHECK-NEXT: sass.cs2r "CS2R R6, SRZ" <stall = 7, yield>
  sass.cs2r "CS2R R6, SRZ" <stall = 7, yield>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_75 target "sm_75"
sass.func @sm_75 target "sm_75" {
  // CHECK-NEXT: sass.movm "MOVM.16.MT88 R7, R8" <stall = 1, wr = 4, rd = 0>
  sass.movm "MOVM.16.MT88 R7, R8" <stall = 1, wr = 4, rd = 0>
  // CHECK-NEXT: sass.bmov "BMOV.32.CLEAR RZ, B0" <stall = 1>
  sass.bmov "BMOV.32.CLEAR RZ, B0" <stall = 1>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_80 target "sm_80"
sass.func @sm_80 target "sm_80" {
  // CHECK-NEXT: sass.p2r "P2R R2, PR, RZ, 0x8" <stall = 3, yield>
  sass.p2r "P2R R2, PR, RZ, 0x8" <stall = 3, yield>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_90a target "sm_90a"
sass.func @sm_90a target "sm_90a" {
  // CHECK-NEXT: sass.sel "SEL R26, R4, R5, P0" <stall = 1>
  sass.sel "SEL R26, R4, R5, P0" <stall = 1>
  // CHECK-NEXT: sass.plop3 "@P1 PLOP3.LUT P0, PT, P1, PT, PT, 0x8, 0x0" <stall = 2>
  sass.plop3 "@P1 PLOP3.LUT P0, PT, P1, PT, PT, 0x8, 0x0" <stall = 2>
  // CHECK-NEXT: sass.b2r "B2R.RESULT RZ, P0" <stall = 1, wr = 4>
  sass.b2r "B2R.RESULT RZ, P0" <stall = 1, wr = 4>
  // CHECK-NEXT: sass.r2ur "@P1 R2UR P0, UR5, R0" <stall = 8, yield>
  sass.r2ur "@P1 R2UR P0, UR5, R0" <stall = 8, yield>
  // CHECK-NEXT: sass.s2ur "S2UR UR6, SR_SWINHI" <stall = 1, wr = 1>
  sass.s2ur "S2UR UR6, SR_SWINHI" <stall = 1, wr = 1>
  // CHECK-NEXT: sass.vote "VOTE.ANY R3, PT, !P0" <stall = 6, yield>
  sass.vote "VOTE.ANY R3, PT, !P0" <stall = 6, yield>
  // CHECK-NEXT: sass.elect "ELECT P3, UR6, PT" <stall = 1>
  sass.elect "ELECT P3, UR6, PT" <stall = 1>
  // CHECK-NEXT: sass.match "MATCH.ALL.U64 P1, R16, R12" <stall = 1, wr = 1>
  sass.match "MATCH.ALL.U64 P1, R16, R12" <stall = 1, wr = 1>
  // CHECK-NEXT: sass.shfl "SHFL.UP P1, R7, R6, R9, R12" <stall = 15, yield, wr = 0, rd = 1, wait = [0, 1]>
  sass.shfl "SHFL.UP P1, R7, R6, R9, R12" <stall = 15, yield, wr = 0, rd = 1, wait = [0, 1]>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// Not in the code compiled for this test; operands as in related instructions.
// CHECK-LABEL: sass.func @written_by_hand target "sm_90a"
sass.func @written_by_hand target "sm_90a" {
  // CHECK-NEXT: sass.r2p "R2P PR, R4, 0x7f" <stall = 5>
  sass.r2p "R2P PR, R4, 0x7f" <stall = 5>
  // CHECK-NEXT: sass.psetp "PSETP.AND.OR P0, PT, P1, P2, !P3" <stall = 5>
  sass.psetp "PSETP.AND.OR P0, PT, P1, P2, !P3" <stall = 5>
  // CHECK-NEXT: sass.r2b "R2B B0, R4" <stall = 5>
  sass.r2b "R2B B0, R4" <stall = 5>
  // CHECK-NEXT: sass.lepc "LEPC R20" <stall = 5>
  sass.lepc "LEPC R20" <stall = 5>
  // CHECK-NEXT: sass.getlmembase "GETLMEMBASE R4" <stall = 5>
  sass.getlmembase "GETLMEMBASE R4" <stall = 5>
  // CHECK-NEXT: sass.setlmembase "SETLMEMBASE R4" <stall = 5>
  sass.setlmembase "SETLMEMBASE R4" <stall = 5>
  // CHECK-NEXT: sass.cs2ur "CS2UR UR4, SR_CLOCKLO" <stall = 5>
  sass.cs2ur "CS2UR UR4, SR_CLOCKLO" <stall = 5>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}
