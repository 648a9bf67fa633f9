// RUN: orison-opt --split-input-file --sass-fixup-tex-depbar-and-sync %s | FileCheck %s --check-prefix=TEX
// RUN: orison-opt --split-input-file --sass-insert-war-hazards %s | FileCheck %s --check-prefix=WAR
// RUN: orison-opt --split-input-file --sass-generate-opex %s | FileCheck %s --check-prefix=OPEX

// A texture operation that has a scoreboard keeps it; its reader only lacks the wait. Nothing else
// is a result, so that phase 120 does the same and phase 119 nothing.

// TEX-LABEL: sass.func @armed
// TEX-NEXT: "TEX.B.LL R4, R8, R12, 0x0, 0x58, ARRAY_2D" <stall = 2, wr = 4>
// TEX-NEXT: "FADD R0, R4, R3" <stall = 5, wait = [4]>
// OPEX-LABEL: sass.func @armed
// OPEX-NEXT: <stall = 2, wr = 4>
// OPEX-NEXT: <stall = 5, wait = [4]>
// WAR-LABEL: sass.func @armed
// WAR-NEXT: <stall = 2, wr = 4>
// WAR-NEXT: <stall = 5>
sass.func @armed target "sm_90a" {
  sass.tex "TEX.B.LL R4, R8, R12, 0x0, 0x58, ARRAY_2D" <stall = 2, wr = 4>
  sass.fadd "FADD R0, R4, R3" <stall = 5>
  sass.exit "EXIT" <stall = 5>
}

// -----

// A fixed-latency instruction has read its operands when the next one issues: nothing to repair.

// WAR-LABEL: sass.func @fixed
// WAR-NEXT: "FADD R0, R1, R2" <stall = 1>
// WAR-NEXT: "MOV R1, RZ" <stall = 5>
// OPEX-LABEL: sass.func @fixed
// OPEX-NEXT: <stall = 1>
// OPEX-NEXT: <stall = 5>
// TEX-LABEL: sass.func @fixed
// TEX-NEXT: <stall = 1>
// TEX-NEXT: <stall = 5>
sass.func @fixed target "sm_90a" {
  sass.fadd "FADD R0, R1, R2" <stall = 1>
  sass.mov "MOV R1, RZ" <stall = 5>
  sass.exit "EXIT" <stall = 5>
}

// -----

// The operand of the store is overwritten in the next block, on one of two paths; the wait is
// inserted there. A missing stall is inserted at the end of the previous block.

// WAR-LABEL: sass.func @ways
// WAR: "STG.E desc[UR4][R8.64], R0" <stall = 2, rd = [[READ:[0-9]]]>
// WAR: "@P0 BRA `(.L_x_1)" <stall = 5>
// WAR: "MOV R0, RZ" <stall = 5, wait = {{\[}}[[READ]]]>
// OPEX-LABEL: sass.func @ways
// OPEX: "STG.E desc[UR4][R8.64], R0" <stall = 2>
// OPEX: "MOV R0, RZ" <stall = 5>
sass.func @ways target "sm_90a" {
  sass.stg "STG.E desc[UR4][R8.64], R0" <stall = 2>
  sass.bra "@P0 BRA `(.L_x_1)" <stall = 5> [^bb2, ^bb1]
^bb1:
  sass.mov "MOV R0, RZ" <stall = 5>
  sass.fall_through ^bb2
^bb2:
  sass.notes [".L_x_1:"]
  sass.exit "EXIT" <stall = 5>
}

// -----

// A stall that is too short gets longer, and no more than needed.

// OPEX-LABEL: sass.func @short
// OPEX-NEXT: "FADD R0, R1, R2" <stall = 4>
// OPEX-NEXT: "FADD R3, R0, R2" <stall = 5>
// WAR-LABEL: sass.func @short
// WAR-NEXT: "FADD R0, R1, R2" <stall = 2>
sass.func @short target "sm_90a" {
  sass.fadd "FADD R0, R1, R2" <stall = 2>
  sass.fadd "FADD R3, R0, R2" <stall = 5>
  sass.exit "EXIT" <stall = 5>
}
