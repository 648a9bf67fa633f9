// RUN: orison-opt --sass-process-o0-waits --sass-generate-opex --sass-simulate %s | FileCheck %s
// RUN: not orison-opt --sass-process-o0-waits --sass-simulate %s -o %t 2>&1 | FileCheck %s --check-prefix=LEFT

// A product takes 24 cycles, more than a stall can be: phase 116 leaves it, phase 120 fills it up.

// CHECK: "HMMA.16816.F32.BF16 R20, R4, R8, R20" <stall = 15, yield, wait = [0, 1]>
// CHECK-NEXT: "NOP" <stall = 9>
// CHECK-NEXT: "MOV R24, R20" <stall = 15
// LEFT: error: {{.*}}reads R20 15 cycles after it is computed, which takes 24
sass.func @k target "sm_80" {
  sass.hmma "HMMA.16816.F32.BF16 R20, R4, R8, R20" <stall = 1>
  sass.mov "MOV R24, R20" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}
