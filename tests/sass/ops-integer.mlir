// Integer arithmetic, comparisons and logic: each instruction of the dialect in a line of real code, and back.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// CHECK-LABEL: sass.func @sm_100a target "sm_100a"
sass.func @sm_100a target "sm_100a" {
  // CHECK-NEXT: sass.iadd3 "IADD3.X R3, PT, PT, R3, UR9, RZ, P2, !PT" <stall = 2>
  sass.iadd3 "IADD3.X R3, PT, PT, R3, UR9, RZ, P2, !PT" <stall = 2>
  // CHECK-NEXT: sass.viaddmnmx "VIADDMNMX R7, R0, R7, R6, PT" <stall = 5, yield, wait = [3]>
  sass.viaddmnmx "VIADDMNMX R7, R0, R7, R6, PT" <stall = 5, yield, wait = [3]>
  // CHECK-NEXT: sass.vimnmx "VIMNMX R10, PT, PT, R10, 0x8, PT" <stall = 4, yield>
  sass.vimnmx "VIMNMX R10, PT, PT, R10, 0x8, PT" <stall = 4, yield>
  // CHECK-NEXT: sass.vimnmx3 "VIMNMX3 R7, R0, R7, R6, PT" <stall = 5, yield, wait = [3]>
  sass.vimnmx3 "VIMNMX3 R7, R0, R7, R6, PT" <stall = 5, yield, wait = [3]>
  // CHECK-NEXT: sass.vhmnmx "VHMNMX R0, R0, R7, R7, !PT" <stall = 4, yield, wait = [3]>
  sass.vhmnmx "VHMNMX R0, R0, R7, R7, !PT" <stall = 4, yield, wait = [3]>
  // CHECK-NEXT: sass.iabs "IABS R8, R6" <stall = 1>
  sass.iabs "IABS R8, R6" <stall = 1>
  // CHECK-NEXT: sass.lea "LEA.HI.X R5, R2, UR7, RZ, 0x2, P0" <stall = 5, yield>
  sass.lea "LEA.HI.X R5, R2, UR7, RZ, 0x2, P0" <stall = 5, yield>
  // CHECK-NEXT: sass.lop3 "LOP3.LUT P1, RZ, R7, R5, R8, 0xf8, !PT" <stall = 2>
  sass.lop3 "LOP3.LUT P1, RZ, R7, R5, R8, 0xf8, !PT" <stall = 2>
  // CHECK-NEXT: sass.i2ip "I2IP.S8.S32.SAT R7, R5, R0, R8" <stall = 1>
  sass.i2ip "I2IP.S8.S32.SAT R7, R5, R0, R8" <stall = 1>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_120a target "sm_120a"
sass.func @sm_120a target "sm_120a" {
  // CHECK-NEXT: sass.iadd "IADD.64 R12, R4, UR6" <stall = 2>
  sass.iadd "IADD.64 R12, R4, UR6" <stall = 2>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_75 target "sm_75"
sass.func @sm_75 target "sm_75" {
  // CHECK-NEXT: sass.vabsdiff "VABSDIFF.U32 R11, R10, R5, R0" <stall = 4, yield>
  sass.vabsdiff "VABSDIFF.U32 R11, R10, R5, R0" <stall = 4, yield>
  // CHECK-NEXT: sass.vabsdiff4 "VABSDIFF4.U8.ACC R8, R8, R11, R10" <stall = 4, yield>
  sass.vabsdiff4 "VABSDIFF4.U8.ACC R8, R8, R11, R10" <stall = 4, yield>
  // CHECK-NEXT: sass.sgxt "SGXT.W R9, R8, 0x9" <stall = 4, yield>
  sass.sgxt "SGXT.W R9, R8, 0x9" <stall = 4, yield>
  // CHECK-NEXT: sass.bmsk "BMSK R4, R0, R5" <stall = 2, yield, wait = [3]>
  sass.bmsk "BMSK R4, R0, R5" <stall = 2, yield, wait = [3]>
  // CHECK-NEXT: sass.popc "POPC R9, R8" <stall = 8>
  sass.popc "POPC R9, R8" <stall = 8>
  // CHECK-NEXT: sass.flo "FLO.U32 R10, R9" <stall = 2, wr = 0>
  sass.flo "FLO.U32 R10, R9" <stall = 2, wr = 0>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_80 target "sm_80"
sass.func @sm_80 target "sm_80" {
  // CHECK-NEXT: sass.imad "IMAD.HI.U32 R9, P1, R11, R15, R8" <stall = 4, yield>
  sass.imad "IMAD.HI.U32 R9, P1, R11, R15, R8" <stall = 4, yield>
  // CHECK-NEXT: sass.imnmx "IMNMX R9, R0, R7, PT" <stall = 5, yield, wait = [2]>
  sass.imnmx "IMNMX R9, R0, R7, PT" <stall = 5, yield, wait = [2]>
  // CHECK-NEXT: sass.shf "SHF.R.U64 R18, R12, R17, R13" <stall = 3, yield>
  sass.shf "SHF.R.U64 R18, R12, R17, R13" <stall = 3, yield>
  // CHECK-NEXT: sass.idp "IDP.4A.U8.U8 R27, R12, R20, R17" <stall = 1>
  sass.idp "IDP.4A.U8.U8 R27, R12, R20, R17" <stall = 1>
  // CHECK-NEXT: sass.brev "BREV R15, R12" <stall = 1, wr = 2, wait = [2]>
  sass.brev "BREV R15, R12" <stall = 1, wr = 2, wait = [2]>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_90a target "sm_90a"
sass.func @sm_90a target "sm_90a" {
  // CHECK-NEXT: sass.viadd "VIADD R7, R3, UR8" <stall = 2>
  sass.viadd "VIADD R7, R3, UR8" <stall = 2>
  // CHECK-NEXT: sass.isetp "ISETP.GT.AND.EX P1, PT, R7, R6, PT, P1" <stall = 4, yield>
  sass.isetp "ISETP.GT.AND.EX P1, PT, R7, R6, PT, P1" <stall = 4, yield>
  // CHECK-NEXT: sass.prmt "PRMT R13, R7, R6, R11" <stall = 4, yield, wait = [5]>
  sass.prmt "PRMT R13, R7, R6, R11" <stall = 4, yield, wait = [5]>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// Not in the code compiled for this test; operands as in related instructions.
// CHECK-LABEL: sass.func @written_by_hand target "sm_90a"
sass.func @written_by_hand target "sm_90a" {
  // CHECK-NEXT: sass.imul "IMUL R4, R5, R6" <stall = 5>
  sass.imul "IMUL R4, R5, R6" <stall = 5>
  // CHECK-NEXT: sass.i2i "I2I.S8.S32.SAT R4, R5" <stall = 5>
  sass.i2i "I2I.S8.S32.SAT R4, R5" <stall = 5>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}
