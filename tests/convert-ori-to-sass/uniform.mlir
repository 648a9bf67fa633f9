// The uniform datapath.
//
// RUN: orison-opt %s --convert-ori-to-sass | FileCheck %s

// CHECK-LABEL: sass.func @uniform target "sm_90a"
ori.func @uniform(%u4: !ori.ur<UR4>, %u5: !ori.ur<UR5>, %v1: !ori.up<UP1>, %w8: !ori.ur64<UR8>, %u7: !ori.ur<UR7>, %v2: !ori.up<UP2>, %v0: !ori.up<UP0>, %u6: !ori.ur<UR6>) target "sm_90a" {
  %J0 = ori.imm 0 : !ori.ur
  %J12 = ori.imm 12 : !ori.ur
  %Jm5 = ori.imm -5 : !ori.ur
  %J15 = ori.imm 15 : !ori.ur
  %J5 = ori.imm 5 : !ori.ur
  %J21520 = ori.imm 21520 : !ori.ur
  %J1 = ori.imm 1 : !ori.ur
  %J8 = ori.imm 8 : !ori.ur
  %J3 = ori.imm 3 : !ori.ur
  %U1 = ori.imm 1 : !ori.up
  // CHECK: sass.uiadd3 "UIADD3 UR6, UP1, UR4, -UR5, URZ"
  %x0:2 = ori.uiadd3 %u4, neg %u5, %J0 : (!ori.ur<UR4>, !ori.ur<UR5>, !ori.ur) -> (!ori.ur<UR6>, !ori.up<UP1>)
  // CHECK-NEXT: sass.uiadd3 "UIADD3.X UR6, UR4, UR5, URZ, UP1, !UPT"
  %x1 = ori.uiadd3 <extended> %u4, %u5, %J0 carry(%v1) : (!ori.ur<UR4>, !ori.ur<UR5>, !ori.ur, !ori.up<UP1>) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.uimad "UIMAD UR6, UR4, 0xc, UR5"
  %x2 = ori.uimad %u4, %J12, %u5 : (!ori.ur<UR4>, !ori.ur, !ori.ur<UR5>) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.uimad "UIMAD.WIDE.U32 UR10, UR4, -0x5, UR8"
  %x3 = ori.uimad_wide <u32> %u4, %Jm5, %w8 : (!ori.ur<UR4>, !ori.ur, !ori.ur64<UR8>) -> !ori.ur64<UR10>
  // CHECK-NEXT: sass.ulop3 "ULOP3.LUT UR6, UR4, 0xf, URZ, 0xc0, !UPT"
  %x4 = ori.ulop3 <lut = 192> %u4, %J15, %J0 : (!ori.ur<UR4>, !ori.ur, !ori.ur) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.ulea "ULEA UR6, UR4, UR5, 0x4"
  %x5 = ori.ulea <shift = 4> %u4, %u5, %J0 : (!ori.ur<UR4>, !ori.ur<UR5>, !ori.ur) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.ulea "ULEA.HI.X UR6, UR4, UR5, UR7, 0x4, UP1"
  %x6 = ori.ulea <shift = 4, high, extended> %u4, %u5, %u7 carry(%v1) : (!ori.ur<UR4>, !ori.ur<UR5>, !ori.ur<UR7>, !ori.up<UP1>) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.ushf "USHF.R.U32.HI UR6, URZ, 0x5, UR4"
  %x7 = ori.ushf <right, u32, high> %J0, %J5, %u4 : (!ori.ur, !ori.ur, !ori.ur<UR4>) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.uprmt "UPRMT UR6, UR4, 0x5410, UR5"
  %x8 = ori.uprmt %u4, %J21520, %u5 : (!ori.ur<UR4>, !ori.ur, !ori.ur<UR5>) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.usel "USEL UR6, UR4, 0x1, UP1"
  %x9 = ori.usel %u4, %J1, %v1 : (!ori.ur<UR4>, !ori.ur, !ori.up<UP1>) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.usgxt "USGXT.U32 UR6, UR4, 0x8"
  %x10 = ori.usgxt <u32> %u4, %J8 : (!ori.ur<UR4>, !ori.ur) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.ubmsk "UBMSK UR6, UR4, UR5"
  %x11 = ori.ubmsk %u4, %u5 : (!ori.ur<UR4>, !ori.ur<UR5>) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.upopc "UPOPC UR6, UR4"
  %x12 = ori.upopc %u4 : (!ori.ur<UR4>) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.uflo "UFLO.U32 UR6, UR4"
  %x13 = ori.uflo <u32> %u4 : (!ori.ur<UR4>) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.ubrev "UBREV UR6, UR4"
  %x14 = ori.ubrev %u4 : (!ori.ur<UR4>) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.uisetp "UISETP.GE.AND UP1, UPT, UR4, 0x3, UPT"
  %x15 = ori.uisetp <ge, s32> %u4, %J3 : (!ori.ur<UR4>, !ori.ur) -> !ori.up<UP1>
  // CHECK-NEXT: sass.uisetp "UISETP.GE.U32.AND.EX UP1, UPT, UR4, UR5, UPT, UP2"
  %x16 = ori.uisetp <ge, u32, extended> %u4, %u5 low(%v2) : (!ori.ur<UR4>, !ori.ur<UR5>, !ori.up<UP2>) -> !ori.up<UP1>
  // CHECK-NEXT: sass.uplop3 "UPLOP3.LUT UP3, UPT, UP1, UP2, UPT, 0x80, 0x0"
  %x17 = ori.uplop3 <lut = 128> %v1, %v2, %U1 : (!ori.up<UP1>, !ori.up<UP2>, !ori.up) -> !ori.up<UP3>
  // CHECK-NEXT: sass.up2ur "UP2UR UR6, UPR, URZ, 0x1"
  %x18 = ori.up2ur <mask = 1> %J0 predicates(%v0) : (!ori.ur, !ori.up<UP0>) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.uiadd3 "@UP1 UIADD3 UR6, UR4, UR5, URZ"
  %x19 = ori.uiadd3 %u4, %u5, %J0 if %v1 else %u6 : (!ori.ur<UR4>, !ori.ur<UR5>, !ori.ur, !ori.up<UP1>, !ori.ur<UR6>) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_100 target "sm_120a"
ori.func @since_100(%u4: !ori.ur<UR4>, %u5: !ori.ur<UR5>, %v1: !ori.up<UP1>) target "sm_120a" {
  %J8 = ori.imm 8 : !ori.ur
  %J0 = ori.imm 0 : !ori.ur
  %U1 = ori.imm 1 : !ori.up
  %J1069547520 = ori.imm 1069547520 : !ori.ur
  %J1065353216 = ori.imm 1065353216 : !ori.ur
  // CHECK: sass.uiadd3 "UIADD3 UR6, UPT, UPT, UR4, 0x8, URZ"
  %x0 = ori.uiadd3 %u4, %J8, %J0 : (!ori.ur<UR4>, !ori.ur, !ori.ur) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.uvimnmx "UVIMNMX.S32 UR6, UR4, 0x8, UPT"
  %x1 = ori.uimnmx <s32> %u4, %J8, %U1 : (!ori.ur<UR4>, !ori.ur, !ori.up) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.ufadd "UFADD UR6, UR4, -UR5"
  %x2 = ori.ufadd %u4, neg %u5 : (!ori.ur<UR4>, !ori.ur<UR5>) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.ufmul "UFMUL.FTZ UR6, UR4, 1.5"
  %x3 = ori.ufmul <ftz> %u4, %J1069547520 : (!ori.ur<UR4>, !ori.ur) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.uffma "UFFMA UR6, UR4, UR5, 1"
  %x4 = ori.uffma %u4, %u5, %J1065353216 : (!ori.ur<UR4>, !ori.ur<UR5>, !ori.ur) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.ufsel "UFSEL UR6, UR4, 1, UP1"
  %x5 = ori.ufsel %u4, %J1065353216, %v1 : (!ori.ur<UR4>, !ori.ur, !ori.up<UP1>) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.ufsetp "UFSETP.GT.AND UP1, UPT, UR4, UR5, UPT"
  %x6 = ori.ufsetp <gt> %u4, %u5 : (!ori.ur<UR4>, !ori.ur<UR5>) -> !ori.up<UP1>
  // CHECK-NEXT: sass.uf2fp "UF2FP.F16.F32.PACK_AB UR6, UR4, UR5"
  %x7 = ori.uf2fp <to = f16, from = f32> %u4, %u5 : (!ori.ur<UR4>, !ori.ur<UR5>) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.ui2fp "UI2FP.F32.S32 UR6, UR4"
  %x8 = ori.ui2fp <s32> %u4 : (!ori.ur<UR4>) -> !ori.ur<UR6>
  // CHECK-NEXT: sass.ret
  ori.ret
}
