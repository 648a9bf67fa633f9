// RUN: orison-opt --sass-simulate --remarks=text %s -o %t 2>&1 | FileCheck %s
// RUN: orison-opt --sass-simulate=lints %s -o %t 2>&1 | FileCheck %s --check-prefix=LINT
// RUN: orison-opt --sass-simulate --mlir-pass-statistics %s -o %t 2>&1 | FileCheck %s --check-prefix=COUNT

// The reciprocal typically takes 24 cycles; the first iteration of the loop after it waits for the remaining 22. Of
// the other cycles of an iteration, two are issue, eight are stalls. A loop is counted ten times, and a block has the
// mean of them.

// CHECK: simulate-time.mlir:[[# @LINE + 3]]:1: remark: {{.*}}static-cycles{{.*}}'k' takes 129 static cycles: 22 issue, 85 stalls, 22 results, 0 operands, 0 groups; at most 1 scoreboards armed
// LINT: simulate-time.mlir:[[# @LINE + 11]]:3: warning: waits for scoreboard 5, which was not armed [wait never armed]
// COUNT: 184 num-cycles
sass.func @k target "sm_90a" {
  sass.mufu "MUFU.RCP R0, R1" <stall = 2, wr = 0>
  sass.fall_through ^bb1
^bb1:
  sass.notes [".L_x_1:"]
  // CHECK: simulate-time.mlir:[[# @LINE + 1]]:3: remark: {{.*}}block-cycles{{.*}}block takes 12 cycles, 10 times: 2 issue, 8 stalls, 2 results
  sass.fadd "FADD R2, R0, R1" <stall = 5, wait = [0]>
  sass.bra "@P0 BRA `(.L_x_1)" <stall = 5> [^bb1, ^bb2]
^bb2:
  sass.exit "EXIT" <stall = 5, wait = [5]>
}

// An attribute gives the execution counts instead of loops.

// CHECK: 'given' takes 55 static cycles
sass.func @given target "sm_90a" attributes {sass.frequencies = array<i64: 1, 10>} {
  sass.nop "NOP" <stall = 5>
  sass.fall_through ^bb1
^bb1:
  sass.notes [".L_x_1:"]
  sass.exit "EXIT" <stall = 5>
}
