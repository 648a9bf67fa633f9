// RUN: orison-opt --sass-strip-control-words %s | FileCheck %s
// RUN: not orison-opt --sass-strip-control-words --sass-simulate %s -o %t 2>&1 | FileCheck %s --check-prefix=BARE

// Stalls, yields, scoreboards, waits and register reuse are removed, also at the operands; the order,
// the guards, the bits and the text around the instructions are unchanged.

// CHECK-LABEL: sass.func @k target "sm_90a"
// CHECK-NEXT: sass.notes ["k:"]
// CHECK-NEXT: sass.ldg "LDG.E R0, desc[UR4][R2.64]" <stall = 1> encoding "0x000ea8000c1e19000000000402007981"
// CHECK-NEXT: sass.fadd "@!P0 FADD R4, R0, R1" <stall = 1>
// CHECK-NEXT: sass.fadd "FADD R5, R0, R1" <stall = 1>
// CHECK-NEXT: sass.exit "EXIT" <stall = 1>

// The result is incorrect: the load is no longer protected.
// BARE: error: {{.*}}reads R0, whose value is still in flight: no scoreboard covers it
sass.func @k target "sm_90a" {
  sass.notes ["k:"]
  sass.ldg "LDG.E R0, desc[UR4][R2.64]" <stall = 4, wr = 2> encoding "0x000ea8000c1e19000000000402007981"
  sass.fadd "@!P0 FADD R4, R0.reuse, R1" <stall = 1, wait = [2], reuse = [a]>
  sass.fadd "FADD R5, R0, R1" <stall = 15, yield>
  sass.exit "EXIT" <stall = 5>
}

// Empty control words are unchanged.

// CHECK-LABEL: sass.func @nothing
// CHECK-NEXT: sass.exit "EXIT" <stall = 1>
sass.func @nothing target "sm_80" {
  sass.exit "EXIT" <stall = 1>
}

// A loop of two blocks: the back edge is rebuilt, too.

// CHECK-LABEL: sass.func @loop
// CHECK: ^[[HEAD:bb[0-9]+]]:
// CHECK: "@P0 BRA `(.L_x_2)" <stall = 1> [^[[END:bb[0-9]+]], ^{{bb[0-9]+}}]
// CHECK: "BRA `(.L_x_1)" <stall = 1> [^[[HEAD]]]
// CHECK: ^[[END]]:
sass.func @loop target "sm_90a" {
  sass.nop "NOP" <stall = 1>
  sass.fall_through ^bb1
^bb1:
  sass.notes [".L_x_1:"]
  sass.bra "@P0 BRA `(.L_x_2)" <stall = 5> [^bb3, ^bb2]
^bb2:
  sass.bra "BRA `(.L_x_1)" <stall = 5> [^bb1]
^bb3:
  sass.notes [".L_x_2:"]
  sass.exit "EXIT" <stall = 5>
}
