// RUN: orison-opt --sass-schedule-instructions='report=- register-budget=8' %s -o %t.mlir | FileCheck %s
// RUN: orison-opt --sass-schedule-instructions='report=%t.html' %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=HTML --input-file=%t.html
// RUN: not orison-opt --sass-schedule-instructions='report=%t.pdf' %s -o %t.mlir 2>&1 | FileCheck %s --check-prefix=FORM
//
// Before, the two reciprocals take their 24 cycles one after the other, and the load its 30: with the sums (1, 5 and 5),
// the store (1) and the exit (5) that is 95. The critical path has 24 cycles from a reciprocal to its sum, 4 to the sum of
// sums, 5 to the store, 1 to the exit, and 1 for that. Afterwards reciprocals and load overlap.
//
// CHECK: cycles  issue  stalls  results  operands  groups  instructions  registers  moved
// CHECK-NEXT: {{^}} before         95      8      15       72         0       0             8        3/8      -
// CHECK-NEXT: {{^}}  after  {{[1-9][0-9]}} (0.{{[0-9]+}})      8 {{.*}} 8        {{[3-8]}}/8      {{[1-7]$}}
// CHECK: block 0
// CHECK-NEXT: critical path  moved
// CHECK-NEXT: {{^}} before      1         95 {{.*}} 95             35      -
// CHECK-NEXT: {{^}}  after      1  {{[1-9][0-9] \(.*}} 35      {{[1-7]$}}
// CHECK: {{^}} before
// CHECK: number  cycle  stall       waits for
// CHECK: 1     24      0  22 results SB0          2  B0-----:R-:W-:-:S01  FADD R2, R0, R0
// CHECK: {{^}} after
// CHECK: STG.E
//
// HTML: <label><input type="radio" name="version" id="v0"> before</label>
// HTML: <label><input type="radio" name="version" id="v1"> after</label>
// HTML: <figure class="version v0"><figcaption>before</figcaption>
// HTML: <figure class="version v1"><figcaption>after</figcaption>
// HTML: data-t="0.0.2"><title>{{[0-9]}} MUFU.RCP R3, R4
//
// FORM: error: {{.*}}cannot determine the format of report '{{.*}}.pdf'
sass.func @k target "sm_90a" {
  sass.mufu "MUFU.RCP R0, R1" <stall = 2, wr = 0>
  sass.fadd "FADD R2, R0, R0" <stall = 1, wait = [0]>
  sass.mufu "MUFU.RCP R3, R4" <stall = 2, wr = 1>
  sass.fadd "FADD R5, R3, R3" <stall = 5, wait = [1]>
  sass.fadd "FADD R6, R2, R5" <stall = 5>
  sass.ldc "LDC.64 R8, c[0x0][0x210]" <stall = 2, wr = 0>
  sass.stg "STG.E desc[UR4][R8.64], R6" <stall = 1, wait = [0]>
  sass.exit "EXIT" <stall = 5>
}
