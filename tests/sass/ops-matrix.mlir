// Matrix products, tensor memory: each instruction of the dialect in a line of real code, and back.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// CHECK-LABEL: sass.func @sm_100a target "sm_100a"
sass.func @sm_100a target "sm_100a" {
  // CHECK-NEXT: sass.utchmma "UTCHMMA tmem[UR5], gdesc[UR12], tmem[UR4], tmem[UR10], idesc[UR11], UP0" <stall = 2, rd = 1>
  sass.utchmma "UTCHMMA tmem[UR5], gdesc[UR12], tmem[UR4], tmem[UR10], idesc[UR11], UP0" <stall = 2, rd = 1>
  // CHECK-NEXT: sass.utcqmma "UTCQMMA gdesc[UR16], gdesc[UR14], tmem[UR4], tmem[UR12], idesc[UR13], tmem[UR10], UP0" <stall = 2, rd = 0>
  sass.utcqmma "UTCQMMA gdesc[UR16], gdesc[UR14], tmem[UR4], tmem[UR12], idesc[UR13], tmem[UR10], UP0" <stall = 2, rd = 0>
  // CHECK-NEXT: sass.utcimma "UTCIMMA gdesc[UR14], gdesc[UR12], tmem[UR4], tmem[UR10], idesc[UR11], UP0" <stall = 2, rd = 1>
  sass.utcimma "UTCIMMA gdesc[UR14], gdesc[UR12], tmem[UR4], tmem[UR10], idesc[UR11], UP0" <stall = 2, rd = 1>
  // CHECK-NEXT: sass.utcbar "UTCBAR.MULTICAST [UR7], URZ, UR10" <stall = 1, rd = 1>
  sass.utcbar "UTCBAR.MULTICAST [UR7], URZ, UR10" <stall = 1, rd = 1>
  // CHECK-NEXT: sass.utccp "UTCCP.T.S tmem[UR4], gdesc[UR10]" <stall = 2, rd = 0>
  sass.utccp "UTCCP.T.S tmem[UR4], gdesc[UR10]" <stall = 2, rd = 0>
  // CHECK-NEXT: sass.utcshift "UTCSHIFT.DOWN tmem[UR4]" <stall = 12, yield>
  sass.utcshift "UTCSHIFT.DOWN tmem[UR4]" <stall = 12, yield>
  // CHECK-NEXT: sass.utcatomsws "UTCATOMSWS.FIND_AND_SET.ALIGN UP0, UR4, UR4" <stall = 2, wr = 0>
  sass.utcatomsws "UTCATOMSWS.FIND_AND_SET.ALIGN UP0, UR4, UR4" <stall = 2, wr = 0>
  // CHECK-NEXT: sass.uvirtcount "UVIRTCOUNT.DEALLOC.SMPOOL 0x80" <stall = 1>
  sass.uvirtcount "UVIRTCOUNT.DEALLOC.SMPOOL 0x80" <stall = 1>
  // CHECK-NEXT: sass.ldtm "LDTM.x8 R12, tmem[UR4]" <stall = 1>
  sass.ldtm "LDTM.x8 R12, tmem[UR4]" <stall = 1>
  // CHECK-NEXT: sass.sttm "STTM.x4 tmem[UR4], R12" <stall = 1, wait = [0]>
  sass.sttm "STTM.x4 tmem[UR4], R12" <stall = 1, wait = [0]>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_120a target "sm_120a"
sass.func @sm_120a target "sm_120a" {
  // CHECK-NEXT: sass.qmma "QMMA.16832.F32.E4M3.E4M3 R4, R4, R8, R4" <stall = 8, yield, wait = [3]>
  sass.qmma "QMMA.16832.F32.E4M3.E4M3 R4, R4, R8, R4" <stall = 8, yield, wait = [3]>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_90a target "sm_90a"
sass.func @sm_90a target "sm_90a" {
  // CHECK-NEXT: sass.hmma "HMMA.SP.16832.F32 R44, R40, R60, R44, R50, 0x0" <stall = 8>
  sass.hmma "HMMA.SP.16832.F32 R44, R40, R60, R44, R50, 0x0" <stall = 8>
  // CHECK-NEXT: sass.imma "IMMA.SP.16864.S8.S8 R4, R40.ROW, R20.COL, R4, R50, 0x0" <stall = 1>
  sass.imma "IMMA.SP.16864.S8.S8 R4, R40.ROW, R20.COL, R4, R50, 0x0" <stall = 1>
  // CHECK-NEXT: sass.bmma "BMMA.168256.AND.POPC R4, R40.ROW, R52.COL, R4" <stall = 1>
  sass.bmma "BMMA.168256.AND.POPC R4, R40.ROW, R52.COL, R4" <stall = 1>
  // CHECK-NEXT: sass.dmma "DMMA.8x8x4 R56, R64, R66, R20" <stall = 1, wr = 1>
  sass.dmma "DMMA.8x8x4 R56, R64, R66, R20" <stall = 1, wr = 1>
  // CHECK-NEXT: sass.hgmma "HGMMA.64x64x16.F32 R24, R56, gdesc[UR8], R24, gsb0" <stall = 3>
  sass.hgmma "HGMMA.64x64x16.F32 R24, R56, gdesc[UR8], R24, gsb0" <stall = 3>
  // CHECK-NEXT: sass.qgmma "QGMMA.64x64x32.F32.E4M3.E4M3 R24, gdesc[UR4], RZ, !UPT, gsb0" <stall = 1>
  sass.qgmma "QGMMA.64x64x32.F32.E4M3.E4M3 R24, gdesc[UR4], RZ, !UPT, gsb0" <stall = 1>
  // CHECK-NEXT: sass.igmma "IGMMA.64x8x32.S8.S8 R28, gdesc[UR4], R28, !UP0, gsb0" <stall = 15, yield, wait = [0, 1]>
  sass.igmma "IGMMA.64x8x32.S8.S8 R28, gdesc[UR4], R28, !UP0, gsb0" <stall = 15, yield, wait = [0, 1]>
  // CHECK-NEXT: sass.bgmma "BGMMA.64x8x256.AND.POPC R24, gdesc[UR4], RZ, !UPT, gsb0" <stall = 1>
  sass.bgmma "BGMMA.64x8x256.AND.POPC R24, gdesc[UR4], RZ, !UPT, gsb0" <stall = 1>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// Not in the code compiled for this test; operands as in related instructions.
// CHECK-LABEL: sass.func @written_by_hand target "sm_90a"
sass.func @written_by_hand target "sm_90a" {
  // CHECK-NEXT: sass.utcomma "UTCOMMA gdesc[UR24], gdesc[UR26], tmem[UR28], tmem[UR4], idesc[UR5], tmem[UR6], !UPT" <stall = 5>
  sass.utcomma "UTCOMMA gdesc[UR24], gdesc[UR26], tmem[UR28], tmem[UR4], idesc[UR5], tmem[UR6], !UPT" <stall = 5>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}
