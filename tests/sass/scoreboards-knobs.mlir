// RUN: orison-opt --split-input-file --sass-advanced-scoreboards --sass-simulate %s | FileCheck %s
// RUN: orison-opt --split-input-file --sass-advanced-scoreboards=barriers=1 --sass-simulate %s | FileCheck %s --check-prefix=ONE
// RUN: orison-opt --split-input-file --sass-advanced-scoreboards='barriers=2 sharing=false' --sass-simulate %s | FileCheck %s --check-prefix=ALONE
// RUN: orison-opt --split-input-file --sass-advanced-scoreboards=longest-stall=3 --sass-simulate %s | FileCheck %s --check-prefix=SHORT
// RUN: orison-opt --split-input-file --sass-advanced-scoreboards=conflict-avoidance --sass-simulate %s | FileCheck %s --check-prefix=CONFLICT
// RUN: orison-opt --split-input-file --sass-advanced-scoreboards=across-blocks=false --sass-simulate %s | FileCheck %s --check-prefix=INSIDE
// RUN: orison-opt --split-input-file --sass-advanced-scoreboards=texture-batch=2 --sass-simulate %s | FileCheck %s --check-prefix=BATCH
// RUN: not orison-opt --split-input-file --sass-advanced-scoreboards=barriers=7 %s -o %t 2>&1 | FileCheck %s --check-prefix=SEVEN
// RUN: not orison-opt --split-input-file --sass-advanced-scoreboards=longest-stall=0 %s -o %t 2>&1 | FileCheck %s --check-prefix=ZERO

// SEVEN: error: {{.*}}option 'barriers' must be from 1 to 6, but is 7
// ZERO: error: {{.*}}option 'longest-stall' must be from 1 to 15, but is 0

// Three loads with three readers have a scoreboard each. With one, they share it, and the first reader
// waits for all. With two that are not shared, the third load waits for one of the others first: an
// eviction.

// CHECK-LABEL: sass.func @loads
// CHECK: wr = [[A:[0-5]]]>
// CHECK-NEXT: wr = [[B:[0-5]]]>
// CHECK-NEXT: wr = [[C:[0-5]]]>
// CHECK-NEXT: "FADD R20, R0, R0" <{{.*}}wait = {{\[}}[[A]]]
// CHECK-NEXT: "FADD R21, R1, R1" <{{.*}}wait = {{\[}}[[B]]]
// CHECK-NEXT: "FADD R22, R2, R2" <{{.*}}wait = {{\[}}[[C]]]
// ONE-LABEL: sass.func @loads
// ONE-COUNT-3: wr = 0
// ONE-NEXT: "FADD R20, R0, R0" <{{.*}}wait = [0]
// ONE-NEXT: "FADD R21, R1, R1" <stall = 1>
// ONE-NEXT: "FADD R22, R2, R2" <stall = 1>
// ALONE-LABEL: sass.func @loads
// ALONE: "LDG.E R2, desc[UR4][R42.64]" <{{.*}}wr = [[SB:[01]]], wait = {{\[}}[[SB]]]
// CONFLICT-LABEL: sass.func @loads
// CONFLICT-NEXT: "LDG.E R0, desc[UR4][R40.64]" <{{.*}}wr = [[A:[0-5]]]>
// CONFLICT-NEXT: "LDG.E R1, desc[UR4][R40.64]" <{{.*}}wait = {{\[}}[[A]]]
// CONFLICT-NEXT: "LDG.E R2, desc[UR4][R42.64]" <stall = {{[0-9]}}, wr = {{[0-5]}}>
sass.func @loads target "sm_90a" {
  sass.ldg "LDG.E R0, desc[UR4][R40.64]" <stall = 1>
  sass.ldg "LDG.E R1, desc[UR4][R40.64]" <stall = 1>
  sass.ldg "LDG.E R2, desc[UR4][R42.64]" <stall = 1>
  sass.fadd "FADD R20, R0, R0" <stall = 1>
  sass.fadd "FADD R21, R1, R1" <stall = 1>
  sass.fadd "FADD R22, R2, R2" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}

// -----

// Four cycles do not fit a stall of three, so an instruction is inserted.

// CHECK-LABEL: sass.func @chain
// CHECK-NEXT: "FADD R0, R1, R2" <stall = 4, yield>
// CHECK-NEXT: "FADD R3, R0, R2"
// SHORT-LABEL: sass.func @chain
// SHORT-NEXT: "FADD R0, R1, R2" <stall = 1>
// SHORT-NEXT: "NOP" <stall = 3, yield>
// SHORT-NEXT: "FADD R3, R0, R2"
sass.func @chain target "sm_90a" {
  sass.fadd "FADD R0, R1, R2" <stall = 1>
  sass.fadd "FADD R3, R0, R2" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}

// -----

// The load stays in flight across blocks, or the branch waits for it.

// CHECK-LABEL: sass.func @ways
// CHECK: "LDG.E R0, desc[UR4][R2.64]" <{{.*}}wr = [[SB:[0-5]]]
// CHECK: "@P0 BRA `(.L_x_1)" <stall = {{[0-9]+}}, yield>
// CHECK: "FADD R4, R0, R1" <{{.*}}wait = {{\[}}[[SB]]]
// INSIDE-LABEL: sass.func @ways
// INSIDE: "LDG.E R0, desc[UR4][R2.64]" <{{.*}}wr = [[SB:[0-5]]]
// INSIDE: "@P0 BRA `(.L_x_1)" <{{.*}}wait = {{\[.*}}[[SB]]
// INSIDE: "FADD R4, R0, R1" <stall = {{[0-9]+}}{{(, yield)?}}>
sass.func @ways target "sm_90a" {
  sass.ldg "LDG.E R0, desc[UR4][R2.64]" <stall = 1>
  sass.bra "@P0 BRA `(.L_x_1)" <stall = 1> [^bb2, ^bb1]
^bb1:
  sass.fadd "FADD R4, R0, R1" <stall = 1>
  sass.fall_through ^bb2
^bb2:
  sass.notes [".L_x_1:"]
  sass.exit "EXIT" <stall = 1>
}

// -----

// Two textures yield once, for any stalls. The second one's scoreboard covers the first, too.

// CHECK-LABEL: sass.func @textures
// CHECK-NEXT: "TMML.B.LL R4, R8, R10, 0x0, 0x58, 2D" <stall = 1{{(, wr = [0-5])?}}>
// CHECK-NEXT: "TMML.B.LL R5, R12, R14, 0x0, 0x58, 2D" <stall = 2, wr = [[SB:[0-5]]]>
// CHECK-NEXT: "FADD R0, R4, R5" <stall = 1, wait = {{\[}}[[SB]]]>
// BATCH-LABEL: sass.func @textures
// BATCH-NEXT: <stall = 1{{(, wr = [0-5])?}}>
// BATCH-NEXT: <stall = 2, yield, wr
sass.func @textures target "sm_90a" {
  sass.inst "TMML.B.LL R4, R8, R10, 0x0, 0x58, 2D" <stall = 1>
  sass.inst "TMML.B.LL R5, R12, R14, 0x0, 0x58, 2D" <stall = 1>
  sass.fadd "FADD R0, R4, R5" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}
