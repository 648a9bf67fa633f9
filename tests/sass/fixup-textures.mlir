// RUN: orison-opt --sass-fixup-tex-depbar-and-sync %s | FileCheck %s

// Only the texture operation gets a scoreboard and its reader a wait: the load is for a later phase.

// CHECK: "TEX.B.LL R4, R8, R10, 0x0, 0x58, 2D" <stall = 2, wr = [[SB:[0-9]]]>
// CHECK-NEXT: "LDG.E R3, desc[UR4][R12.64]" <stall = 2>
// CHECK-NEXT: "FADD R0, R4, R3" <stall = 5, wait = {{\[}}[[SB]]]>
sass.func @k target "sm_90a" {
  sass.tex "TEX.B.LL R4, R8, R10, 0x0, 0x58, 2D" <stall = 2>
  sass.ldg "LDG.E R3, desc[UR4][R12.64]" <stall = 2>
  sass.fadd "FADD R0, R4, R3" <stall = 5>
  sass.exit "EXIT" <stall = 5>
}
