// RUN: orison-opt --sass-process-o0-waits --sass-simulate %s | FileCheck %s
// RUN: orison-opt --sass-process-o0-waits --sass-generate-opex --sass-simulate %s | FileCheck %s
// RUN: not orison-opt --sass-process-o0-waits=scheme=page --sass-simulate %s -o %t 2>&1 | FileCheck %s --check-prefix=PAGE

// A product takes 24 cycles, more than a stall can be: a stall of zero lets it drain, and phase 120 finds
// nothing to fill up. The page's scheme has the longest stall, which is 9 cycles short.

// CHECK: "HMMA.16816.F32.BF16 R20, R4, R8, R20" <stall = 0, yield, wait = [0, 1]>
// CHECK-NEXT: "MOV R24, R20" <stall = 15
// PAGE: error: {{.*}}reads R20 15 cycles after the instruction that computes it, which takes 24
sass.func @k target "sm_80" {
  sass.hmma "HMMA.16816.F32.BF16 R20, R4, R8, R20" <stall = 1>
  sass.mov "MOV R24, R20" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}
