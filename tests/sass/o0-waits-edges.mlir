// RUN: orison-opt --split-input-file --sass-process-o0-waits %s | FileCheck %s
// RUN: orison-opt --split-input-file --sass-process-o0-waits --sass-simulate %s -o %t

// Only operations of variable latency arm scoreboards, a store, which has no result, that of operands; no
// register reuse is set. Existing control words are ignored.

// CHECK-LABEL: sass.func @kinds
// CHECK-NEXT: "STG.E desc[UR4][R2.64], R0" <stall = 15, yield, rd = 1, wait = [0, 1]>
// CHECK-NEXT: "FADD R4, R0, R1" <stall = 15, yield, wait = [0, 1]>
// CHECK-NEXT: "FADD R5, R0, R1" <stall = 15, yield, wait = [0, 1]>
// CHECK-NEXT: "MUFU.RCP R6, R5" <stall = 15, yield, wr = 0, rd = 1, wait = [0, 1]>
sass.func @kinds target "sm_90a" {
  sass.stg "STG.E desc[UR4][R2.64], R0" <stall = 1, rd = 5>
  sass.fadd "FADD R4, R0.reuse, R1" <stall = 1, reuse = [a]>
  sass.fadd "FADD R5, R0, R1" <stall = 4>
  sass.mufu "MUFU.RCP R6, R5" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}

// -----

// Guards and block boundaries have no effect: a loop waits like straight-line code.

// CHECK-LABEL: sass.func @loop
// CHECK: "@P0 LDG.E R0, desc[UR4][R2.64]" <stall = 15, yield, wr = 0, rd = 1, wait = [0, 1]>
// CHECK: "@P1 BRA `(.L_x_1)" <stall = 15, yield, wait = [0, 1]>
// CHECK: "EXIT" <stall = 15, yield, wait = [0, 1]>
sass.func @loop target "sm_80" {
  sass.fall_through ^bb1
^bb1:
  sass.notes [".L_x_1:"]
  sass.ldg "@P0 LDG.E R0, desc[UR4][R2.64]" <stall = 1>
  sass.bra "@P1 BRA `(.L_x_1)" <stall = 1> [^bb1, ^bb2]
^bb2:
  sass.exit "EXIT" <stall = 1>
}

// -----

// An error barrier drains the pipeline: a stall of zero.

// CHECK-LABEL: sass.func @drains
// CHECK-NEXT: "ERRBAR" <stall = 0, yield
sass.func @drains target "sm_90a" {
  sass.errbar "ERRBAR" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}
