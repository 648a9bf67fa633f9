// RUN: orison-opt --sass-schedule-report='width=60' %s -o %t.mlir | FileCheck %s --match-full-lines --strict-whitespace
// RUN: orison-opt --sass-schedule-report='file=%t.txt width=60' %s -o %t.mlir
// RUN: FileCheck %s --match-full-lines --strict-whitespace --input-file=%t.txt
//
// The reciprocal is there after 24 cycles, typically. Outside of the loop two cycles pass until the sum, which waits for
// the other 22 in the first iteration; the loop counts ten times, and every iteration has 10 cycles of issue and stall.
// R0 and R1 are live all the time, the sum adds R2, which every reader may read after 7 cycles.
//
//CHECK:@k for sm_90a
//CHECK-EMPTY:
//CHECK-NEXT:Static cycles
//CHECK-NEXT:       cycles  issue  stalls  results  operands  groups  instructions  registers
//CHECK-NEXT: this     129     22      85       22         0       0             4      3/255
//CHECK-EMPTY:
//CHECK-NEXT:Innermost loops: cycles of an iteration in the steady state
//CHECK-NEXT: blocks  this
//CHECK-NEXT:      1    10
//CHECK-EMPTY:
//CHECK-NEXT:Charts: █ issue, · stall, r waits for results, o for operands, g for groups; ░ in flight; ▓ scoreboard armed; * critical path
//CHECK-EMPTY:
//CHECK-NEXT:block 0
//CHECK-NEXT:       times  cycles  issue  stalls  results  operands  groups  steady  critical path
//CHECK-NEXT: this      1       2      1       1        0         0       0       2              1
//CHECK-EMPTY:
//CHECK-NEXT: this
//CHECK-NEXT:             0 2
//CHECK-NEXT:      issue │█·│
//CHECK-NEXT:    special │██│
//CHECK-NEXT:        SB0 │▓▓│
//CHECK-NEXT:  registers │██│
//CHECK-NEXT:    number  cycle  stall  waits for  registers         control word  instruction
//CHECK-NEXT: *       0      0      1                     2  B------:R-:W0:-:S02  MUFU.RCP R0, R1
//CHECK-EMPTY:
//CHECK-NEXT:block 1, .L_x_1
//CHECK-NEXT:       times  cycles  issue  stalls  results  operands  groups  steady  critical path
//CHECK-NEXT: this     10      12      2       8        2         0       0      10              2
//CHECK-EMPTY:
//CHECK-NEXT: this
//CHECK-NEXT:             0{{ +5 +10$}}
//CHECK-NEXT:      issue │█····█····│
//CHECK-NEXT:     branch │     █    │
//CHECK-NEXT:       fp32 │█░░░░░░   │
//CHECK-NEXT:  registers │█████▆▆▆▆▆│
//CHECK-NEXT:    number  cycle  stall  waits for  registers         control word  instruction
//CHECK-NEXT: *       1      0      4                     3  B0-----:R-:W-:-:S05  FADD R2, R0, R1
//CHECK-NEXT: *       2      5      4                     2  B------:R-:W-:-:S05  @P0 BRA `(.L_x_1)
//CHECK:block 2
sass.func @k target "sm_90a" {
  sass.mufu "MUFU.RCP R0, R1" <stall = 2, wr = 0>
  sass.fall_through ^bb1
^bb1:
  sass.notes [".L_x_1:"]
  sass.fadd "FADD R2, R0, R1" <stall = 5, wait = [0]>
  sass.bra "@P0 BRA `(.L_x_1)" <stall = 5> [^bb1, ^bb2]
^bb2:
  sass.exit "EXIT" <stall = 5, wait = [5]>
}
