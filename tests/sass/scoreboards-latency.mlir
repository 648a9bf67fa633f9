// RUN: orison-opt --sass-advanced-scoreboards --sass-simulate %s | FileCheck %s
// RUN: orison-opt --sass-advanced-scoreboards --remarks=text %s -o %t 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: Passed scoreboards: 'block': 1 scoreboards armed, 0 of them shared, 0 evicted, 1 wait bits, 0 instructions inserted
// REMARK: Passed scoreboards: 'loop': 2 scoreboards armed, 0 of them shared, 0 evicted, 1 wait bits, 0 instructions inserted

// The load's result is awaited with a scoreboard. FADD takes 4 cycles into FADD and 5 into a store.

// CHECK-LABEL: sass.func @block
// CHECK: "LDG.E R0, desc[UR4][R2.64]" <stall = 2, wr = [[SB:[0-9]]]
// CHECK-NEXT: "FADD R4, R0, R1" <stall = 4, {{.*}}wait = {{\[}}[[SB]]]
// CHECK-NEXT: "FADD R5, R4, R1" <stall = 5
// CHECK-NEXT: "STG.E desc[UR4][R6.64], R5" <stall = 1>
sass.func @block target "sm_90a" {
  sass.ldg "LDG.E R0, desc[UR4][R2.64]" <stall = 1>
  sass.fadd "FADD R4, R0, R1" <stall = 1>
  sass.fadd "FADD R5, R4, R1" <stall = 1>
  sass.stg "STG.E desc[UR4][R6.64], R5" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}

// A loop waits at its header for the operations that its entry and its latch leave in flight: the sum is read
// by the first instruction of the next turn, so that the branch holds it back no longer than its own
// five cycles.

// CHECK-LABEL: sass.func @loop
// CHECK: "LDG.E R0, desc[UR4][R2.64]" <{{.*}}wr = [[SB:[0-9]]]
// CHECK: "FADD R4, R4, R0" <{{.*}}wait = {{\[}}[[SB]]]
// CHECK: "LDG.E R0, desc[UR4][R6.64]" <{{.*}}wr = [[SB]]
// CHECK: "@P0 BRA `(.L_x_1)" <stall = 5
sass.func @loop target "sm_90a" {
  sass.ldg "LDG.E R0, desc[UR4][R2.64]" <stall = 1>
  sass.fall_through ^bb1
^bb1:
  sass.notes [".L_x_1:"]
  sass.fadd "FADD R4, R4, R0" <stall = 1>
  sass.ldg "LDG.E R0, desc[UR4][R6.64]" <stall = 1>
  sass.bra "@P0 BRA `(.L_x_1)" <stall = 1> [^bb1, ^bb2]
^bb2:
  sass.exit "EXIT" <stall = 1>
}
