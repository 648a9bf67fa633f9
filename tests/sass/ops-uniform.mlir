// The uniform datapath: each instruction of the dialect in a line of real code, and back.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// CHECK-LABEL: sass.func @sm_100a target "sm_100a"
sass.func @sm_100a target "sm_100a" {
  // CHECK-NEXT: sass.uiadd3 "@UP3 UIADD3.X UR5, UPT, UPT, URZ, UR11, URZ, UP2, !UPT" <stall = 1>
  sass.uiadd3 "@UP3 UIADD3.X UR5, UPT, UPT, URZ, UR11, URZ, UP2, !UPT" <stall = 1>
  // CHECK-NEXT: sass.ulop3 "ULOP3.LUT UR4, UR15, UR7, URZ, 0x3c, !UPT" <stall = 4, yield>
  sass.ulop3 "ULOP3.LUT UR4, UR15, UR7, URZ, 0x3c, !UPT" <stall = 4, yield>
  // CHECK-NEXT: sass.usgxt "USGXT.U32 UR16, UR11, 0xf" <stall = 2, yield>
  sass.usgxt "USGXT.U32 UR16, UR11, 0xf" <stall = 2, yield>
  // CHECK-NEXT: sass.uflo "UFLO.U32 UR4, UR4" <stall = 1>
  sass.uflo "UFLO.U32 UR4, UR4" <stall = 1>
  // CHECK-NEXT: sass.up2ur "UP2UR UR5, UPR, URZ, 0x4" <stall = 1>
  sass.up2ur "UP2UR UR5, UPR, URZ, 0x4" <stall = 1>
  // CHECK-NEXT: sass.uplop3 "UPLOP3.LUT UP0, UPT, UPT, UPT, UPT, 0x40, 0x4" <stall = 2>
  sass.uplop3 "UPLOP3.LUT UP0, UPT, UPT, UPT, UPT, 0x40, 0x4" <stall = 2>
  // CHECK-NEXT: sass.redux "REDUX UR8, R0" <stall = 1, wr = 1>
  sass.redux "REDUX UR8, R0" <stall = 1, wr = 1>
  // CHECK-NEXT: sass.credux "CREDUX.MAX.F32 UR4, R6" <stall = 2>
  sass.credux "CREDUX.MAX.F32 UR4, R6" <stall = 2>
  // CHECK-NEXT: sass.voteu "VOTEU.ANY UR4, UPT, PT" <stall = 2>
  sass.voteu "VOTEU.ANY UR4, UPT, PT" <stall = 2>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_103a target "sm_103a"
sass.func @sm_103a target "sm_103a" {
  // CHECK-NEXT: sass.uisetp "UISETP.GE.AND UP0, UPT, UR4, UR5, UPT" <stall = 1>
  sass.uisetp "UISETP.GE.AND UP0, UPT, UR4, UR5, UPT" <stall = 1>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_120a target "sm_120a"
sass.func @sm_120a target "sm_120a" {
  // CHECK-NEXT: sass.uvimnmx "UVIMNMX.S32 UR4, UR4, 0x8, UPT" <stall = 3, yield>
  sass.uvimnmx "UVIMNMX.S32 UR4, UR4, 0x8, UPT" <stall = 3, yield>
  // CHECK-NEXT: sass.uf2i "UF2I.FTZ.U32.TRUNC.NTZ UR13, UR12" <stall = 1>
  sass.uf2i "UF2I.FTZ.U32.TRUNC.NTZ UR13, UR12" <stall = 1>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// CHECK-LABEL: sass.func @sm_90a target "sm_90a"
sass.func @sm_90a target "sm_90a" {
  // CHECK-NEXT: sass.uimad "UIMAD.WIDE.U32.X UR8, UR4, -0x55555556, UR12, UP0" <stall = 4, yield>
  sass.uimad "UIMAD.WIDE.U32.X UR8, UR4, -0x55555556, UR12, UP0" <stall = 4, yield>
  // CHECK-NEXT: sass.ulea "ULEA.HI.X UR19, UR4, UR19, UR6, 0x9, UP0" <stall = 2>
  sass.ulea "ULEA.HI.X UR19, UR4, UR19, UR6, 0x9, UP0" <stall = 2>
  // CHECK-NEXT: sass.ushf "USHF.R.U64 UR9, UR4, 0x4, UR5" <stall = 1>
  sass.ushf "USHF.R.U64 UR9, UR4, 0x4, UR5" <stall = 1>
  // CHECK-NEXT: sass.uprmt "UPRMT UR4, UR4, 0x654, UR8" <stall = 4, yield>
  sass.uprmt "UPRMT UR4, UR4, 0x654, UR8" <stall = 4, yield>
  // CHECK-NEXT: sass.usel "USEL UR11, UR8, UR9, !UP0" <stall = 2>
  sass.usel "USEL UR11, UR8, UR9, !UP0" <stall = 2>
  // CHECK-NEXT: sass.upopc "UPOPC UR5, UR7" <stall = 1>
  sass.upopc "UPOPC UR5, UR7" <stall = 1>
  // CHECK-NEXT: sass.umov "UMOV UR5, UR6" <stall = 3, yield, wait = [1]>
  sass.umov "UMOV UR5, UR6" <stall = 3, yield, wait = [1]>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}

// Not in the code compiled for this test; operands as in related instructions.
// CHECK-LABEL: sass.func @written_by_hand target "sm_90a"
sass.func @written_by_hand target "sm_90a" {
  // CHECK-NEXT: sass.ubmsk "UBMSK UR4, UR5, UR6" <stall = 5>
  sass.ubmsk "UBMSK UR4, UR5, UR6" <stall = 5>
  // CHECK-NEXT: sass.ubrev "UBREV UR4, UR5" <stall = 5>
  sass.ubrev "UBREV UR4, UR5" <stall = 5>
  // CHECK-NEXT: sass.uiabs "UIABS UR4, UR5" <stall = 5>
  sass.uiabs "UIABS UR4, UR5" <stall = 5>
  // CHECK-NEXT: sass.uimnmx "UIMNMX UR4, UR5, UR6, UPT" <stall = 5>
  sass.uimnmx "UIMNMX UR4, UR5, UR6, UPT" <stall = 5>
  // CHECK-NEXT: sass.uviadd "UVIADD UR4, UR5, 0x1" <stall = 5>
  sass.uviadd "UVIADD UR4, UR5, 0x1" <stall = 5>
  // CHECK-NEXT: sass.ufadd "UFADD UR4, UR5, UR6" <stall = 5>
  sass.ufadd "UFADD UR4, UR5, UR6" <stall = 5>
  // CHECK-NEXT: sass.ufmul "UFMUL UR4, UR5, UR6" <stall = 5>
  sass.ufmul "UFMUL UR4, UR5, UR6" <stall = 5>
  // CHECK-NEXT: sass.uffma "UFFMA UR4, UR5, UR6, UR7" <stall = 5>
  sass.uffma "UFFMA UR4, UR5, UR6, UR7" <stall = 5>
  // CHECK-NEXT: sass.ufsel "UFSEL UR4, UR5, UR6, UP0" <stall = 5>
  sass.ufsel "UFSEL UR4, UR5, UR6, UP0" <stall = 5>
  // CHECK-NEXT: sass.ufmnmx "UFMNMX UR4, UR5, UR6, !UPT" <stall = 5>
  sass.ufmnmx "UFMNMX UR4, UR5, UR6, !UPT" <stall = 5>
  // CHECK-NEXT: sass.uf2fp "UF2FP.F16.F32.PACK_AB UR4, UR5, UR6" <stall = 5>
  sass.uf2fp "UF2FP.F16.F32.PACK_AB UR4, UR5, UR6" <stall = 5>
  // CHECK-NEXT: sass.ui2f "UI2F.U32.RP UR4, UR5" <stall = 9>
  sass.ui2f "UI2F.U32.RP UR4, UR5" <stall = 9>
  // CHECK-NEXT: sass.ui2fp "UI2FP.F32.S32 UR4, UR5" <stall = 5>
  sass.ui2fp "UI2FP.F32.S32 UR4, UR5" <stall = 5>
  // CHECK-NEXT: sass.uf2f "UF2F.F32.F16 UR4, UR5" <stall = 5>
  sass.uf2f "UF2F.F32.F16 UR4, UR5" <stall = 5>
  // CHECK-NEXT: sass.ufrnd "UFRND UR4, UR5" <stall = 5>
  sass.ufrnd "UFRND UR4, UR5" <stall = 5>
  // CHECK-NEXT: sass.ulepc "ULEPC UR4" <stall = 5>
  sass.ulepc "ULEPC UR4" <stall = 5>
  // CHECK-NEXT: sass.ufsetp "UFSETP.GT.AND UP0, UPT, UR4, UR5, UPT" <stall = 5>
  sass.ufsetp "UFSETP.GT.AND UP0, UPT, UR4, UR5, UPT" <stall = 5>
  // CHECK-NEXT: sass.ur2up "UR2UP UPR, UR4, 0x7f" <stall = 5>
  sass.ur2up "UR2UP UPR, UR4, 0x7f" <stall = 5>
  // CHECK-NEXT: sass.fall_through{{$}}
  sass.fall_through
}
