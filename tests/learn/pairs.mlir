// What a function of eight instructions shows. Its columns leave out that the third addition reads R2.
//
// RUN: orison-learn %S/inputs/pairs.plr | FileCheck %s
// RUN: orison-learn %S/inputs/pairs.plr --json | FileCheck %s --check-prefix=JSON
// RUN: orison-learn %S/inputs/pairs.plr -o %t.txt
// RUN: FileCheck %s --input-file=%t.txt

// CHECK: sm_90: 8 instructions

// The second addition reads the first's result after 4 cycles, the third the second's after 5.
// CHECK-LABEL: cells:
// CHECK-NEXT: general: alu -> alu: 4, 4, 1 of 2
// CHECK-NEXT: IADD3 R0, R1, R2, RZ; IADD3 R3, R0, R2, RZ; pairs k 0010
// CHECK-NEXT: issue: EXIT: 5, 5, 1 of 1
// CHECK-NEXT: EXIT; EXIT; pairs k 0070
// CHECK-NEXT: scoreboard: arm -> wait: 2, 2, 1 of 1
// CHECK-NEXT: LDG.E R5, desc[UR4][R6.64]; IADD3 R8, R5, R2, RZ; armed pairs k 0040

// CHECK-LABEL: pairs of classes:
// CHECK-NEXT: alu -> alu (general: alu -> alu): 4, 1 of 2
// CHECK: ordered-load -> alu (scoreboard: arm -> wait): 2, 1 of 1

// CHECK-LABEL: scoreboards:
// CHECK-NEXT: alu: results never (0 of 4), operands never (0 of 4)
// CHECK-NEXT: IADD3: results never (0 of 4), operands never (0 of 4)
// CHECK-NEXT: branch: results none, operands none
// CHECK-NEXT: EXIT: results none, operands none
// CHECK-NEXT: ordered-load: results always (1 of 1), operands never (0 of 1)
// CHECK: LDS: results always (2 of 2), operands never (0 of 2)

// The addition waits for the load. The second LDS overwrites the address of the first, without a wait.
// CHECK-LABEL: orders:
// CHECK-NEXT: result -> read: ordered-load -> alu: 0, 1, 0
// CHECK-NEXT: operand -> overwrite: shared-load -> shared-load: 1, 0, 0
// CHECK-NEXT: LDS R9, [R10]; LDS R10, [R11]; pairs k 0060

// CHECK-LABEL: registers of nvdisasm: 8 instructions compared
// CHECK-NEXT: IADD3: only the table says that it reads: 1: R2 of `IADD3 R4, R3, R2, RZ` (pairs k 0020)

// JSON: "machine": "sm_90",
// JSON: "cell": "general: alu -> alu",
// JSON-NEXT: "table": 4,
// JSON-NEXT: "least": 4,
// JSON-NEXT: "at_least": 1,
// JSON-NEXT: "all": 2,
// JSON-NEXT: "enough": false,
// JSON: "kind": "only-own-use",
// JSON-NEXT: "count": 1,
