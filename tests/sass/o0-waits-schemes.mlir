// RUN: orison-opt --sass-process-o0-waits --sass-simulate %s | FileCheck %s --check-prefix=SAFE
// RUN: orison-opt --sass-process-o0-waits=scheme=page %s | FileCheck %s --check-prefix=PAGE
// RUN: not orison-opt --sass-process-o0-waits=scheme=page --sass-simulate %s -o %t 2>&1 | FileCheck %s --check-prefix=HAZARD

// As in ptxas -O0, the load arms 0 for its result and 1 for its address, and all wait for both.
// The reference's scheme waits for all six, but none is armed, so the sum reads R0 too early (C04).

// SAFE: "LDG.E R0, desc[UR4][R2.64]" <stall = 15, yield, wr = 0, rd = 1, wait = [0, 1]>
// SAFE: "FADD R4, R0, R1" <stall = 15, yield, wait = [0, 1]>
// PAGE: "LDG.E R0, desc[UR4][R2.64]" <stall = 15, yield, wait = [0, 1, 2, 3, 4, 5]>
// HAZARD: error: {{.*}}reads R0, whose value is still in flight
sass.func @k target "sm_90a" {
  sass.ldg "LDG.E R0, desc[UR4][R2.64]" <stall = 1>
  sass.fadd "FADD R4, R0, R1" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}
