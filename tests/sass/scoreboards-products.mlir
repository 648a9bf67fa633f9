// RUN: orison-opt --sass-advanced-scoreboards %s | FileCheck %s

// The distance between two products is that of ptxas: columns / 8 - 4 cycles after a float product, at least 4.

// CHECK-LABEL: sass.func @adjacent
// CHECK-NEXT: "HGMMA.64x64x16.F32 R24, {{.*}} <stall = 4
// CHECK-NEXT: "HGMMA.64x80x16.F32 R24, {{.*}} <stall = 6
// CHECK-NEXT: "QGMMA.64x128x32.F32.E4M3.E4M3 R24, {{.*}} <stall = 12
// CHECK-NEXT: "IGMMA.64x224x32.S8.S8 R24, {{.*}} <stall = 7
// CHECK-NEXT: "HGMMA.64x256x16.F32 R24, {{.*}} <stall = 1
sass.func @adjacent target "sm_90a" {
  sass.hgmma "HGMMA.64x64x16.F32 R24, gdesc[UR4], R24" <stall = 1>
  sass.hgmma "HGMMA.64x80x16.F32 R24, gdesc[UR4], R24" <stall = 1>
  sass.qgmma "QGMMA.64x128x32.F32.E4M3.E4M3 R24, gdesc[UR4], R24" <stall = 1>
  sass.igmma "IGMMA.64x224x32.S8.S8 R24, gdesc[UR4], R24" <stall = 1>
  sass.hgmma "HGMMA.64x256x16.F32 R24, gdesc[UR4], R24, gsb0" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}

// A stall is at most 15 cycles. Of 28, the instruction between takes what it can: as many as ptxas gives both
// together. Without one, a no-op is inserted.

// CHECK-LABEL: sass.func @far
// CHECK-NEXT: "HGMMA.64x256x16.F32 R24, {{.*}} <stall = 13
// CHECK-NEXT: "IADD3 R0, R1, R2, R3" <stall = 15
// CHECK-NEXT: "HGMMA.64x256x16.F32 R24, {{.*}} <stall = 13
// CHECK-NEXT: "NOP" <stall = 15
// CHECK-NEXT: "HGMMA.64x256x16.F32 R24, {{.*}} <stall = 1
sass.func @far target "sm_90a" {
  sass.hgmma "HGMMA.64x256x16.F32 R24, gdesc[UR4], R24" <stall = 1>
  sass.iadd3 "IADD3 R0, R1, R2, R3" <stall = 1>
  sass.hgmma "HGMMA.64x256x16.F32 R24, gdesc[UR4], R24" <stall = 1>
  sass.hgmma "HGMMA.64x256x16.F32 R24, gdesc[UR4], R24, gsb0" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}

// The cycles of the instructions between count: 1 + 5 + 6.

// CHECK-LABEL: sass.func @near
// CHECK-NEXT: "HGMMA.64x128x16.F32 R24, {{.*}} <stall = 1
// CHECK-NEXT: "IADD3 R0, R1, R2, R3" <stall = 5
// CHECK-NEXT: "IMAD R4, R0, R2, R3" <stall = 6
// CHECK-NEXT: "HGMMA.64x128x16.F32 R24, {{.*}} <stall = 1
sass.func @near target "sm_90a" {
  sass.hgmma "HGMMA.64x128x16.F32 R24, gdesc[UR4], R24" <stall = 1>
  sass.iadd3 "IADD3 R0, R1, R2, R3" <stall = 1>
  sass.imad "IMAD R4, R0, R2, R3" <stall = 1>
  sass.hgmma "HGMMA.64x128x16.F32 R24, gdesc[UR4], R24, gsb0" <stall = 1>
  sass.exit "EXIT" <stall = 1>
}

// A branch between two products that may fall through takes what its stall of 5 lacks; behind one that never does,
// nothing is left.

// CHECK-LABEL: sass.func @across
// CHECK-NEXT: "HGMMA.64x128x16.F32 R24, {{.*}} <stall = 1
// CHECK-NEXT: "@P0 BRA `(.L_x_0)" <stall = 11
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: "HGMMA.64x128x16.F32 R24, {{.*}} <stall = 1
// CHECK-NEXT: "BRA `(.L_x_1)" <stall = 5
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: sass.notes
// CHECK-NEXT: "HGMMA.64x128x16.F32 R24, {{.*}} <stall = 1
// CHECK-NEXT: sass.fall_through
sass.func @across target "sm_90a" {
  sass.hgmma "HGMMA.64x128x16.F32 R24, gdesc[UR4], R24" <stall = 1>
  sass.bra "@P0 BRA `(.L_x_0)" <stall = 5> [^bb2, ^bb1]
^bb1:
  sass.hgmma "HGMMA.64x128x16.F32 R24, gdesc[UR4], R24, gsb0" <stall = 1>
  sass.bra "BRA `(.L_x_1)" <stall = 5> [^bb3]
^bb2:
  sass.notes [".L_x_0:"]
  sass.hgmma "HGMMA.64x128x16.F32 R24, gdesc[UR4], R24, gsb0" <stall = 1>
  sass.fall_through ^bb3
^bb3:
  sass.notes [".L_x_1:"]
  sass.exit "EXIT" <stall = 1>
}
