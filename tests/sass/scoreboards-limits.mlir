// RUN: orison-opt --sass-advanced-scoreboards --sass-simulate %s | FileCheck %s
// RUN: orison-opt --sass-advanced-scoreboards=stall-floor=3 %s | FileCheck %s --check-prefix=FLOOR
// RUN: orison-opt --sass-advanced-scoreboards='yield-threshold=16 reuse=false' %s | FileCheck %s --check-prefix=HINTS
// RUN: not orison-opt --sass-advanced-scoreboards=target=sm_99 %s -o %t 2>&1 | FileCheck %s --check-prefix=TARGET

// Existing control words are ignored: an unneeded scoreboard is removed, and its wait.

// CHECK-LABEL: sass.func @forgotten
// CHECK-NEXT: "LDG.E R0, desc[UR4][R2.64]" <stall = 1>
// CHECK-NEXT: "FADD R4, R1, R1" <stall = 1>
// FLOOR-LABEL: sass.func @forgotten
// FLOOR-NEXT: "LDG.E R0, desc[UR4][R2.64]" <stall = 3
sass.func @forgotten target "sm_90a" {
  sass.ldg "LDG.E R0, desc[UR4][R2.64]" <stall = 2, wr = 3>
  sass.fadd "FADD R4, R1, R1" <stall = 9, wait = [3]>
  sass.exit "EXIT" <stall = 5>
}

// Seven loads have six scoreboards, so that some share one; no instruction is inserted for that. The first
// sum waits for the first load alone, and not for one that comes later.

// CHECK-LABEL: sass.func @seven
// CHECK: "LDG.E R0, desc[UR4][R40.64]" <{{.*}}wr = [[FIRST:[0-5]]]
// CHECK-NOT: wr = [[FIRST]]
// CHECK-COUNT-6: "LDG.E R{{[1-6]}}, desc[UR4][R40.64]" <{{.*}}wr = {{[0-5]}}
// CHECK: "FADD R20, R0, R0" <{{.*}}wait = {{\[}}[[FIRST]]]
// CHECK-NOT: NOP
// CHECK: "EXIT"
sass.func @seven target "sm_90a" {
  sass.ldg "LDG.E R0, desc[UR4][R40.64]" <stall = 1>
  sass.ldg "LDG.E R1, desc[UR4][R40.64]" <stall = 1>
  sass.ldg "LDG.E R2, desc[UR4][R40.64]" <stall = 1>
  sass.ldg "LDG.E R3, desc[UR4][R40.64]" <stall = 1>
  sass.ldg "LDG.E R4, desc[UR4][R40.64]" <stall = 1>
  sass.ldg "LDG.E R5, desc[UR4][R40.64]" <stall = 1>
  sass.ldg "LDG.E R6, desc[UR4][R40.64]" <stall = 1>
  sass.fadd "FADD R20, R0, R0" <stall = 1>
  sass.fadd "FADD R21, R1, R1" <stall = 1>
  sass.fadd "FADD R22, R2, R2" <stall = 1>
  sass.fadd "FADD R23, R3, R3" <stall = 1>
  sass.fadd "FADD R24, R4, R4" <stall = 1>
  sass.fadd "FADD R25, R5, R5" <stall = 1>
  sass.fadd "FADD R26, R6, R6" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}

// Register reuse is set while the warp continues, and not if hints are off.

// CHECK-LABEL: sass.func @kept
// CHECK-NEXT: "FADD R4, R0.reuse, R1" <stall = 1, reuse = [a]>
// HINTS-LABEL: sass.func @kept
// HINTS-NEXT: "FADD R4, R0, R1" <stall = 1>
// HINTS-NEXT: "FADD R5, R0, R2" <stall = 4>
sass.func @kept target "sm_90a" {
  sass.fadd "FADD R4, R0, R1" <stall = 1>
  sass.fadd "FADD R5, R0, R2" <stall = 1>
  sass.fadd "FADD R6, R5, R2" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}

// TARGET: error: {{.*}}no latency model for 'sm_99'
