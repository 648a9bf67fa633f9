// RUN: orison-opt --sass-insert-war-hazards %s | FileCheck %s
// RUN: orison-opt --sass-insert-war-hazards=operand-penalty=2 %s | FileCheck %s --check-prefix=PENALTY

// The load overwrites what the sum reads two cycles after it at the earliest; the penalty comes on top.
// Protected registers get none.

// CHECK-LABEL: sass.func @short
// CHECK-NEXT: "FADD R0, R1, R2" <stall = 2>
// PENALTY-LABEL: sass.func @short
// PENALTY-NEXT: "FADD R0, R1, R2" <stall = 4>
sass.func @short target "sm_90a" {
  sass.fadd "FADD R0, R1, R2" <stall = 1>
  sass.ldg "LDG.E R1, desc[UR4][R4.64]" <stall = 2>
  sass.exit "EXIT" <stall = 5>
}

// CHECK-LABEL: sass.func @enough
// CHECK-NEXT: "FADD R0, R1, R2" <stall = 2>
// PENALTY-LABEL: sass.func @enough
// PENALTY-NEXT: "FADD R0, R1, R2" <stall = 2>
sass.func @enough target "sm_90a" {
  sass.fadd "FADD R0, R1, R2" <stall = 2>
  sass.ldg "LDG.E R1, desc[UR4][R4.64]" <stall = 2>
  sass.exit "EXIT" <stall = 5>
}
