// Copies and barriers that continue after the instruction.
//
// RUN: orison-opt %s --convert-ori-to-sass | FileCheck %s

// CHECK-LABEL: sass.func @copies target "sm_80"
ori.func @copies(%r4: !ori.r<R4>, %d6: !ori.r64<R6>, %w4: !ori.ur64<UR4>, %p1: !ori.p<P1>) target "sm_80" {
  // CHECK: sass.ldgsts "LDGSTS.E.BYPASS.LTC128B.128 [R4+0x400], [R6.64+-0x10]"
  ori.ldgsts <b128, bypass, ltc128b> [%r4 + 1024], [%d6 - 16] descriptor(%w4) : (!ori.r<R4>, !ori.r64<R6>, !ori.ur64<UR4>) -> ()
  // CHECK-NEXT: sass.ldgsts "LDGSTS.E [R4], [R6.64], !P1"
  ori.ldgsts <b32> [%r4], [%d6] copied(not %p1) descriptor(%w4) : (!ori.r<R4>, !ori.r64<R6>, !ori.p<P1>, !ori.ur64<UR4>) -> ()
  // CHECK-NEXT: sass.ldgsts "LDGSTS.E.64.ZFILL [R4], [R6.64], P1"
  ori.ldgsts <b64, zero_fill> [%r4], [%d6] copied(%p1) descriptor(%w4) : (!ori.r<R4>, !ori.r64<R6>, !ori.p<P1>, !ori.ur64<UR4>) -> ()
  // CHECK-NEXT: sass.arrives "ARRIVES.LDGSTSBAR.64.ARVCNT [R4+0x8]"
  ori.arrives <counted> [%r4 + 8] : (!ori.r<R4>) -> ()
  // CHECK-NEXT: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_90 target "sm_90a"
ori.func @since_90(%u4: !ori.ur<UR4>, %w6: !ori.ur64<UR6>, %v1: !ori.up<UP1>, %r4: !ori.r<R4>, %r5: !ori.r<R5>, %p1: !ori.p<P1>, %d4: !ori.r64<R4>, %w4: !ori.ur64<UR4>, %u8: !ori.ur<UR8>, %u9: !ori.ur<UR9>, %u10: !ori.ur<UR10>, %u11: !ori.ur<UR11>, %u12: !ori.ur<UR12>, %u6: !ori.ur<UR6>, %w14: !ori.ur64<UR14>, %u13: !ori.ur<UR13>) target "sm_90a" {
  // CHECK: sass.syncs "@UP1 SYNCS.EXCH.64 URZ, [UR4+0x20], UR6"
  ori.syncs <init> [%u4 + 32] count(%w6) if %v1 : (!ori.ur<UR4>, !ori.ur64<UR6>, !ori.up<UP1>) -> ()
  // CHECK-NEXT: sass.syncs "SYNCS.CCTL.IV [R4+URZ]"
  ori.syncs <inval> [%r4] : (!ori.r<R4>) -> ()
  // CHECK-NEXT: sass.syncs "SYNCS.ARRIVE.TRANS64.RED.A0TR RZ, [R4+URZ+0x8], R5"
  ori.syncs <expect_tx> [%r4 + 8] count(%r5) : (!ori.r<R4>, !ori.r<R5>) -> ()
  // CHECK-NEXT: sass.syncs "SYNCS.ARRIVE.TRANS64.A1T0 R6, [UR4], RZ"
  %x0 = ori.syncs_arrive [%u4] : (!ori.ur<UR4>) -> !ori.r64<R6>
  // CHECK-NEXT: sass.syncs "SYNCS.ARRIVE.TRANS64.ART0 RZ, [R4+URZ], R5"
  ori.syncs_arrive [%r4] count(%r5) : (!ori.r<R4>, !ori.r<R5>) -> ()
  // CHECK-NEXT: sass.syncs "@!P1 SYNCS.ARRIVE.TRANS64 RZ, [R4+URZ+0x8], R5"
  ori.syncs_arrive [%r4 + 8] expect(%r5) if not %p1 : (!ori.r<R4>, !ori.r<R5>, !ori.p<P1>) -> ()
  // CHECK-NEXT: sass.syncs "SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R4+URZ], RZ"
  ori.syncs_arrive <remote> [%r4] : (!ori.r<R4>) -> ()
  // CHECK-NEXT: sass.syncs "SYNCS.ARRIVE.TRANS64.OPTOUT.A1T0 R6, [R4+URZ], RZ"
  %x1 = ori.syncs_arrive <drops> [%r4] : (!ori.r<R4>) -> !ori.r64<R6>
  // CHECK-NEXT: sass.syncs "SYNCS.PHASECHK.TRANS64.TRYWAIT P1, [UR4+0x8], R5"
  %x2 = ori.syncs_try_wait [%u4 + 8], %r5 : (!ori.ur<UR4>, !ori.r<R5>) -> !ori.p<P1>
  // CHECK-NEXT: sass.syncs "SYNCS.PHASECHK.TRANS64 P1, [R4+URZ], R5"
  %x3 = ori.syncs_try_wait <test> [%r4], %r5 : (!ori.r<R4>, !ori.r<R5>) -> !ori.p<P1>
  // CHECK-NEXT: sass.cctl "@P1 CCTL.IVALL"
  ori.cctl <ivall> [0] if %p1 : (!ori.p<P1>) -> ()
  // CHECK-NEXT: sass.cctl "CCTL.E.RML2 [R4]"
  ori.cctl <rml2> [%d4] : (!ori.r64<R4>) -> ()
  // CHECK-NEXT: sass.cctll "CCTLL.IVALL"
  ori.cctll <ivall> [0]
  // CHECK-NEXT: sass.utmaldg "@UP1 UTMALDG.2D [UR8], [UR4]"
  ori.utmaldg <dimensions = 2> %w4, %u8, %u9 coordinates(%u10, %u11) if %v1 : (!ori.ur64<UR4>, !ori.ur<UR8>, !ori.ur<UR9>, !ori.ur<UR10>, !ori.ur<UR11>, !ori.up<UP1>) -> ()
  // CHECK-NEXT: sass.utmaldg "UTMALDG.3D.MULTICAST.2CTA [UR8], [UR4], UR6, desc[UR14]"
  ori.utmaldg <dimensions = 3, two_ctas> %w4, %u8, %u9 coordinates(%u10, %u11, %u12) multicast(%u6) policy(%w14) : (!ori.ur64<UR4>, !ori.ur<UR8>, !ori.ur<UR9>, !ori.ur<UR10>, !ori.ur<UR11>, !ori.ur<UR12>, !ori.ur<UR6>, !ori.ur64<UR14>) -> ()
  // CHECK-NEXT: sass.utmaldg "UTMALDG.4D.IM2COL [UR8], [UR4], UR6"
  ori.utmaldg <dimensions = 4, im2col> %w4, %u8, %u9 coordinates(%u10, %u11, %u12, %u13) offsets(%u6) : (!ori.ur64<UR4>, !ori.ur<UR8>, !ori.ur<UR9>, !ori.ur<UR10>, !ori.ur<UR11>, !ori.ur<UR12>, !ori.ur<UR13>, !ori.ur<UR6>) -> ()
  // CHECK-NEXT: sass.utmastg "UTMASTG.2D [UR8], [UR4]"
  ori.utmastg <dimensions = 2> %w4, %u8 coordinates(%u9, %u10) : (!ori.ur64<UR4>, !ori.ur<UR8>, !ori.ur<UR9>, !ori.ur<UR10>) -> ()
  // CHECK-NEXT: sass.utmaredg "UTMAREDG.1D.ADD [UR8], [UR4]"
  ori.utmaredg <dimensions = 1, add> %w4, %u8 coordinates(%u9) : (!ori.ur64<UR4>, !ori.ur<UR8>, !ori.ur<UR9>) -> ()
  // CHECK-NEXT: sass.utmapf "UTMAPF.L2.2D [UR8], [UR4]"
  ori.utmapf <dimensions = 2> %w4 coordinates(%u8, %u9) : (!ori.ur64<UR4>, !ori.ur<UR8>, !ori.ur<UR9>) -> ()
  // CHECK-NEXT: sass.utmacctl "UTMACCTL.IV [UR4]"
  ori.utmacctl <iv> %w4 : (!ori.ur64<UR4>) -> ()
  // CHECK-NEXT: sass.utmacmdflush "UTMACMDFLUSH"
  ori.utmacmdflush
  // CHECK-NEXT: sass.ublkcp "UBLKCP.S.G [UR8], [UR4], UR6"
  ori.ublkcp %u8, %w4, %u6 barrier(%u9) : (!ori.ur<UR8>, !ori.ur64<UR4>, !ori.ur<UR6>, !ori.ur<UR9>) -> ()
  // CHECK-NEXT: sass.ublkcp "UBLKCP.G.S [UR4], [UR8], UR6"
  ori.ublkcp %w4, %u8, %u6 : (!ori.ur64<UR4>, !ori.ur<UR8>, !ori.ur<UR6>) -> ()
  // CHECK-NEXT: sass.ublkred "UBLKRED.G.S.MIN [UR4], [UR8], UR6"
  ori.ublkred <min> %w4, %u8, %u6 : (!ori.ur64<UR4>, !ori.ur<UR8>, !ori.ur<UR6>) -> ()
  // CHECK-NEXT: sass.ublkpf "UBLKPF.L2 [UR4], UR6"
  ori.ublkpf %w4, %u6 : (!ori.ur64<UR4>, !ori.ur<UR6>) -> ()
  // CHECK-NEXT: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_100 target "sm_100a"
ori.func @since_100(%u4: !ori.ur<UR4>, %u5: !ori.ur<UR5>) target "sm_100a" {
  // CHECK: sass.ugetnextworkid "UGETNEXTWORKID.SELFCAST [UR4], [UR5]"
  ori.ugetnextworkid %u4, %u5 : (!ori.ur<UR4>, !ori.ur<UR5>) -> ()
  // CHECK-NEXT: sass.ugetnextworkid "UGETNEXTWORKID.BROADCAST [UR4], [UR5]"
  ori.ugetnextworkid <broadcast> %u4, %u5 : (!ori.ur<UR4>, !ori.ur<UR5>) -> ()
  // CHECK-NEXT: sass.ret
  ori.ret
}
