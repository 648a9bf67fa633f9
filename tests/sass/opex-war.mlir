// RUN: orison-opt --sass-insert-war-hazards --sass-generate-opex --sass-insert-war-hazards --sass-simulate %s | FileCheck %s
// RUN: orison-opt --sass-insert-war-hazards %s | FileCheck %s --check-prefix=WAR
// RUN: not orison-opt --sass-insert-war-hazards --sass-simulate %s -o %t 2>&1 | FileCheck %s --check-prefix=LEFT

// A store and a load were inserted into correct code. The first pass protects the store's operand,
// the second the load's result; the sum before them keeps its control words.

// CHECK: "FADD R0, R1, R2" <stall = 5>
// CHECK-NEXT: "STG.E desc[UR4][R8.64], R0" <stall = 2, rd = [[READ:[0-9]]]>
// CHECK-NEXT: "MOV R0, RZ" <stall = 4, wait = {{\[}}[[READ]]]>
// CHECK-NEXT: "LDG.E R3, desc[UR4][R8.64]" <stall = 2, wr = [[WRITE:[0-9]]]>
// CHECK-NEXT: "FADD R4, R3, R0" <stall = 5, wait = {{\[}}[[WRITE]]]>
// WAR: "STG.E desc[UR4][R8.64], R0" <stall = 2, rd
// WAR: "LDG.E R3, desc[UR4][R8.64]" <stall = 1>
// LEFT: error: {{.*}}reads R3, whose value is still in flight
sass.func @k target "sm_90a" {
  sass.fadd "FADD R0, R1, R2" <stall = 5>
  sass.stg "STG.E desc[UR4][R8.64], R0" <stall = 2>
  sass.mov "MOV R0, RZ" <stall = 4>
  sass.ldg "LDG.E R3, desc[UR4][R8.64]" <stall = 1>
  sass.fadd "FADD R4, R3, R0" <stall = 5>
  sass.exit "EXIT" <stall = 5>
}
