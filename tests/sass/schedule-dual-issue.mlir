// RUN: orison-opt --split-input-file --sass-schedule-instructions=strategy=dual-issue --sass-verify-schedule %s | FileCheck %s
// RUN: orison-opt --split-input-file --sass-schedule-instructions --remarks=text -o %t %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: orison-opt --split-input-file --sass-schedule-instructions=strategy=list %s | FileCheck %s --check-prefix=LIST
// RUN: orison-opt --split-input-file --sass-schedule-instructions --mlir-pass-statistics -o %t %s 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: orison-opt --dump-machine=sm_52 | FileCheck %s --check-prefix=MACHINE

// MACHINE: machine sm_50 [
// MACHINE: in one cycle: alu, fma, half-rate, then global-memory, {{.*}}; at most 1 reads constant memory [maxas]

// The second part has hazards in 14 cycles: 17 without.
// COUNT: (S) 1 num-functions
// COUNT: (S) 9 cycles-before
// COUNT: (S) 7 cycles-after
// COUNT: (S) 0 num-functions
// COUNT: (S) 14 cycles-before
// COUNT: (S) 17 cycles-after

// Two sums issue in the cycle of the stores that were in front of them: their stall is zero, and they do not yield. In two
// cycles more the block ends: with the five of the jump it takes 7 instead of 9.

// CHECK-LABEL: sass.func @pairs
// CHECK-NEXT: "FADD R10, R15, R16" <stall = 0>
// CHECK-NEXT: "STS [R6], R7" <stall = 1>
// CHECK-NEXT: "FADD R11, R15, R16" <stall = 0>
// CHECK-NEXT: "STS [R8], R9" <stall = 1>
// CHECK-NEXT: "EXIT" <stall = 5, yield>
// LIST-LABEL: sass.func @pairs
// LIST-NEXT: "STS
// REMARK: 'pairs' takes 7 static cycles
// REMARK: strategy 'dual-issue', 7 cycles instead of 9
sass.func @pairs target "sm_52" {
  sass.sts "STS [R6], R7" <stall = 1>
  sass.sts "STS [R8], R9" <stall = 1>
  sass.fadd "FADD R10, R15, R16" <stall = 1>
  sass.fadd "FADD R11, R15, R16" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

// What depends on the sum issues behind it, and of two operands in constant memory the second waits for the next cycle.

// CHECK-LABEL: sass.func @apart
// CHECK: "FADD R0, R15, R16" <stall = 4
// CHECK-NEXT: "STS [R2], R0"
// CHECK-LABEL: sass.func @constants
// CHECK-NEXT: "FADD R0, R15, c[0x0][0x160]" <stall = 1>
// CHECK-NEXT: "LDC R1, c[0x3][R2]"
sass.func @apart target "sm_50" {
  sass.fadd "FADD R0, R15, R16" <stall = 1>
  sass.sts "STS [R2], R0" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}
sass.func @constants target "sm_50" {
  sass.fadd "FADD R0, R15, c[0x0][0x160]" <stall = 1>
  sass.ldc "LDC R1, c[0x3][R2]" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

// A later machine issues one instruction in a cycle: the strategy finds no order.

// CHECK-LABEL: sass.func @single
// CHECK-NEXT: "FADD R10, R15, R16" <stall = 1>
// CHECK-NEXT: "LDS R0, [R2]"
// REMARK-NOT: strategy 'dual-issue'
sass.func @single target "sm_70" {
  sass.fadd "FADD R10, R15, R16" <stall = 1>
  sass.lds "LDS R0, [R2]" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}
