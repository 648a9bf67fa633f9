// RUN: orison-opt --split-input-file --sass-fixup-tex-depbar-and-sync %s | FileCheck %s
// RUN: orison-opt --split-input-file --sass-fixup-tex-depbar-and-sync=yield-distance=56 %s | FileCheck %s --check-prefix=NEAR

// A guard keeps the wait. Every reader waits: waiting for a released scoreboard is free. An operation that
// reads soon yields when that is asked for.

// CHECK-LABEL: sass.func @twice
// CHECK-NEXT: "@P0 TMML.B.LL R4, R8, R10, 0x0, 0x58, 2D" <stall = 2, wr = [[SB:[0-9]]]>
// CHECK-NEXT: "FADD R0, R4, R3" <stall = 5, wait = {{\[}}[[SB]]]>
// CHECK-NEXT: "FADD R1, R4, R3" <stall = 5, wait = {{\[}}[[SB]]]>
// NEAR-LABEL: sass.func @twice
// NEAR: "FADD R0, R4, R3" <stall = 5, yield, wait = [{{[0-9]}}]>
// NEAR-NEXT: "FADD R1, R4, R3" <stall = 5, yield, wait = [{{[0-9]}}]>
sass.func @twice target "sm_90a" {
  sass.inst "@P0 TMML.B.LL R4, R8, R10, 0x0, 0x58, 2D" <stall = 2>
  sass.fadd "FADD R0, R4, R3" <stall = 5>
  sass.fadd "FADD R1, R4, R3" <stall = 5>
  sass.exit "EXIT" <stall = 5>
}

// -----

// A scoreboard that loads have is not taken while there is one that nobody arms. Whoever overwrites the
// result waits as a reader does.

// CHECK-LABEL: sass.func @overwritten
// CHECK-NEXT: wr = 0>
// CHECK-NEXT: "TMML.B.LL R4, R8, R10, 0x0, 0x58, 2D" <stall = 2, wr = [[SB:[1-5]]]>
// CHECK-NEXT: "MOV R4, RZ" <stall = 5, wait = {{\[}}[[SB]]]>
sass.func @overwritten target "sm_90a" {
  sass.ldg "LDG.E R3, desc[UR4][R12.64]" <stall = 2, wr = 0>
  sass.inst "TMML.B.LL R4, R8, R10, 0x0, 0x58, 2D" <stall = 2>
  sass.mov "MOV R4, RZ" <stall = 5>
  sass.exit "EXIT" <stall = 5>
}

// -----

// All six are armed by other operations: one is shared, and its wait covers both.

// CHECK-LABEL: sass.func @exhausted
// CHECK: "TMML.B.LL R4, R8, R10, 0x0, 0x58, 2D" <stall = 2, wr = [[SB:[0-5]]]>
// CHECK-NEXT: "FADD R0, R4, R3" <stall = 5, wait = {{\[}}[[SB]]]>
sass.func @exhausted target "sm_90a" {
  sass.ldg "LDG.E R20, desc[UR4][R12.64]" <stall = 2, wr = 0>
  sass.ldg "LDG.E R21, desc[UR4][R12.64]" <stall = 2, wr = 1>
  sass.ldg "LDG.E R22, desc[UR4][R12.64]" <stall = 2, wr = 2>
  sass.ldg "LDG.E R23, desc[UR4][R12.64]" <stall = 2, wr = 3>
  sass.ldg "LDG.E R24, desc[UR4][R12.64]" <stall = 2, wr = 4>
  sass.ldg "LDG.E R25, desc[UR4][R12.64]" <stall = 2, wr = 5>
  sass.inst "TMML.B.LL R4, R8, R10, 0x0, 0x58, 2D" <stall = 2>
  sass.fadd "FADD R0, R4, R3" <stall = 5>
  sass.exit "EXIT" <stall = 5>
}

// -----

// The next iteration of the loop reads the fetched value: the wait is in the header, also before the
// first iteration, where it has no cost.

// CHECK-LABEL: sass.func @loop
// CHECK: "FADD R0, R4, R0" <stall = 5, wait = {{\[}}[[SB:[0-5]]]]>
// CHECK: "TMML.B.LL R4, R8, R10, 0x0, 0x58, 2D" <stall = 2, wr = [[SB]]{{.*}}>
sass.func @loop target "sm_90a" {
  sass.fall_through ^bb1
^bb1:
  sass.notes [".L_x_1:"]
  sass.fadd "FADD R0, R4, R0" <stall = 5>
  sass.inst "TMML.B.LL R4, R8, R10, 0x0, 0x58, 2D" <stall = 2>
  sass.bra "@P0 BRA `(.L_x_1)" <stall = 5> [^bb1, ^bb2]
^bb2:
  sass.exit "EXIT" <stall = 5>
}
