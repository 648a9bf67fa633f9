// RUN: orison-opt --split-input-file --sass-schedule-instructions --sass-verify-schedule %s | FileCheck %s
// RUN: orison-opt --split-input-file --sass-schedule-instructions --remarks=text -o %t %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: orison-opt --split-input-file --sass-schedule-instructions=keep-words=false %s | FileCheck %s --check-prefix=ANEW
// RUN: orison-opt --split-input-file --sass-schedule-instructions --mlir-pass-statistics -o %t %s 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not orison-opt --sass-schedule-instructions=strategy=lists %s -o %t 2>&1 | FileCheck %s --check-prefix=STRATEGY

// RUN: not orison-opt --sass-schedule-instructions --schedule-strategy=lists %s -o %t 2>&1 | FileCheck %s --check-prefix=STRATEGY
// RUN: not orison-opt --cse --schedule-strategy=list %s -o %t 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not orison-opt --sass-schedule-instructions --schedule-report=x.pdf %s -o %t 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: orison-opt --split-input-file --sass-schedule-instructions --schedule-strategy=list --remarks=text -o %t %s 2>&1 | FileCheck %s --check-prefix=LIST

// NONE: --schedule-strategy: no pass of the pipeline schedules instructions
// FORMAT: x.pdf
// LIST-NOT: strategy 'permutation'
// LIST: block 0 of 'load': strategy 'list', 306 cycles instead of 308
// LIST-NOT: strategy 'permutation'
// STRATEGY: expected auto|list|priority|latency|pressure|backtracking|limited|tensor|loop|software-pipelining|dual-issue|permutation|search, found 'lists'; did you mean 'list'?
// COUNT: sass-schedule-instructions
// COUNT-DAG: (S) {{[1-9][0-9]*}} cycles-after - Static cycles after
// COUNT-DAG: (S) {{[1-9][0-9]*}} cycles-before - Static cycles before
// COUNT-DAG: (S) {{[1-9][0-9]*}} num-blocks - Number of blocks with a new order

// What does not depend on the load issues while it is under way: the two cycles of the other instructions are
// gained.

// CHECK-LABEL: sass.func @load
// CHECK-NEXT: "LDG.E R0
// CHECK-NEXT: "IADD3 R10
// CHECK-NEXT: "FADD R13
// CHECK-NEXT: "FADD R4, R0, R1" <{{.*}}wait = [0]
// CHECK-NEXT: "EXIT"
// REMARK: remark: [sass-schedule-instructions] Passed schedule: 'load' takes 306 static cycles, 308 with new control words only, 5 before; 1 blocks have a new order
// REMARK: remark: [sass-schedule-instructions] Passed block: block 0 of 'load': strategy 'latency', 306 cycles instead of 308
sass.func @load target "sm_90a" {
  sass.iadd3 "IADD3 R10, R11, R12, RZ" <stall = 1>
  sass.fadd "FADD R13, R14, R15" <stall = 1>
  sass.ldg "LDG.E R0, desc[UR4][R2.64]" <stall = 1>
  sass.fadd "FADD R4, R0, R1" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}

// -----

// The load may read what the store writes: it stays behind it. A load with the same address registers and
// another offset does not.

// CHECK-LABEL: sass.func @memory
// CHECK: "STG.E desc[UR4][R2.64], R9
// CHECK: "LDG.E R10, desc[UR4][R6.64]
// CHECK-LABEL: sass.func @apart
// CHECK-NEXT: "LDG.E R10, desc[UR4][R2.64+0x4]
// CHECK: "STG.E desc[UR4][R2.64], R9
sass.func @memory target "sm_90a" {
  sass.fadd "FADD R8, R14, R15" <stall = 1>
  sass.fadd "FADD R9, R8, R15" <stall = 1>
  sass.stg "STG.E desc[UR4][R2.64], R9" <stall = 1>
  sass.ldg "LDG.E R10, desc[UR4][R6.64]" <stall = 1>
  sass.fadd "FADD R4, R10, R1" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}
sass.func @apart target "sm_90a" {
  sass.fadd "FADD R8, R14, R15" <stall = 1>
  sass.fadd "FADD R9, R8, R15" <stall = 1>
  sass.stg "STG.E desc[UR4][R2.64], R9" <stall = 1>
  sass.ldg "LDG.E R10, desc[UR4][R2.64+0x4]" <stall = 1>
  sass.fadd "FADD R4, R10, R1" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}

// -----

// No access crosses the barrier, and nothing the jump; what has no memory may cross the barrier.

// CHECK-LABEL: sass.func @barrier
// CHECK: "STS [R2], R9
// CHECK: "BAR.SYNC.DEFER_BLOCKING 0x0"
// CHECK: "LDS R10, [R6]
// CHECK: "EXIT"
// CHECK-NEXT: }
sass.func @barrier target "sm_90a" {
  sass.sts "STS [R2], R9" <stall = 1>
  sass.bar "BAR.SYNC.DEFER_BLOCKING 0x0" <stall = 1>
  sass.fadd "FADD R8, R14, R15" <stall = 1>
  sass.lds "LDS R10, [R6]" <stall = 1>
  sass.fadd "FADD R4, R10, R8" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}

// -----

// Two instructions of which no thread executes both keep their order: the reader of R0 in front stays in front of
// both, although only the first needs that.

// CHECK-LABEL: sass.func @guards
// CHECK: "FADD R20, R0, R1"
// CHECK: "@P0 MOV R0, R5"
// CHECK: "@!P0 MOV R0, R6"
// CHECK: "FADD R21, R0, R1"
sass.func @guards target "sm_90a" {
  sass.fadd "FADD R20, R0, R1" <stall = 1>
  sass.mov "@P0 MOV R0, R5" <stall = 1>
  sass.mov "@!P0 MOV R0, R6" <stall = 1>
  sass.ldg "LDG.E R22, desc[UR4][R2.64]" <stall = 1>
  sass.fadd "FADD R21, R0, R1" <stall = 1>
  sass.fadd "FADD R23, R22, R1" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}

// -----

// Clocks stay where they are among accesses to memory, and each other.

// CHECK-LABEL: sass.func @clocks
// CHECK: "CS2R R8, SR_CLOCKLO"
// CHECK: "LDG.E R22
// CHECK: "FADD R23, R22
// CHECK: "CS2R R10, SR_CLOCKLO"
sass.func @clocks target "sm_90a" {
  sass.cs2r "CS2R R8, SR_CLOCKLO" <stall = 1>
  sass.ldg "LDG.E R22, desc[UR4][R2.64]" <stall = 1>
  sass.fadd "FADD R23, R22, R1" <stall = 1>
  sass.stg "STG.E desc[UR4][R2.64], R23" <stall = 1>
  sass.cs2r "CS2R R10, SR_CLOCKLO" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}

// -----

// In a loop every iteration waits for the load of the one before: what does not need it issues before the wait,
// and the comparison early enough for the jump, so that the load follows its wait at once. An iteration takes the
// 300 cycles of the load and the 2 from its wait to the load.

// CHECK-LABEL: sass.func @loop
// CHECK: sass.notes [".L_x_1:"]
// CHECK-DAG: "FADD R13
// CHECK-DAG: "FADD R15
// CHECK-DAG: "ISETP.GT.AND P0
// CHECK: "FADD R4, R0, R4" <{{.*}}wait = [0]
// CHECK-NEXT: "LDG.E R0
// CHECK-NEXT: "@P0 BRA
// REMARK: block 1 of 'loop': strategy '{{[a-z]+}}', 302 cycles instead of 303
sass.func @loop target "sm_90a" {
  sass.fadd "FADD R0, RZ, R1" <stall = 1>
  sass.fall_through ^body
^body:
  sass.notes [".L_x_1:"]
  sass.fadd "FADD R4, R0, R4" <stall = 1>
  sass.fadd "FADD R13, R14, R13" <stall = 1>
  sass.fadd "FADD R15, R16, R15" <stall = 1>
  sass.ldg "LDG.E R0, desc[UR4][R2.64]" <stall = 1>
  sass.isetp "ISETP.GT.AND P0, PT, R20, R21, PT" <stall = 1>
  sass.bra "@P0 BRA `(.L_x_1)" <stall = 1> [^body, ^end]
^end:
  sass.exit "EXIT" <stall = 1>
}

// -----

// Words without a hazard that are as fast as any other stay, bit for bit; `keep-words=false` makes new ones.

// CHECK-LABEL: sass.func @kept
// CHECK-NEXT: "FADD R4, R0, R1" <stall = 4, yield>
// ANEW-LABEL: sass.func @kept
// ANEW-NEXT: "FADD R4, R0, R1" <stall = 1>
// CHECK-NEXT: "EXIT" <stall = 1, yield>
// ANEW-NEXT: "EXIT" <stall = 5, yield>
sass.func @kept target "sm_90a" {
  sass.fadd "FADD R4, R0, R1" <stall = 4, yield>
  sass.exit "EXIT" <stall = 1, yield>
}

// The same time with other words.

// CHECK-LABEL: sass.func @equal
// CHECK-NEXT: "FADD R4, R0, R1" <stall = 1, yield>
// ANEW-LABEL: sass.func @equal
// ANEW-NEXT: "FADD R4, R0, R1" <stall = 1>
sass.func @equal target "sm_90a" {
  sass.fadd "FADD R4, R0, R1" <stall = 1, yield>
  sass.exit "EXIT" <stall = 5, yield>
}
