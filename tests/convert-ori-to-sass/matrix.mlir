// Matrix products and tensor memory.
//
// RUN: orison-opt %s --convert-ori-to-sass | FileCheck %s

// CHECK-LABEL: sass.func @products target "sm_80"
ori.func @products(%q4: !ori.r128<R4>, %d8: !ori.r64<R8>, %q12: !ori.r128<R12>, %d12: !ori.r64<R12>, %r4: !ori.r<R4>, %r5: !ori.r<R5>, %d4: !ori.r64<R4>, %q8: !ori.r128<R8>, %r16: !ori.r<R16>) target "sm_80" {
  // CHECK: sass.hmma "HMMA.16816.F32 R12, R4, R8, R12"
  %x0 = ori.hmma <m16n8k16, from = f16, accumulator = f32> %q4, %d8, %q12 : (!ori.r128<R4>, !ori.r64<R8>, !ori.r128<R12>) -> !ori.r128<R12>
  // CHECK-NEXT: sass.hmma "HMMA.1688.F32.TF32 R16, R4, R8, R12"
  %x1 = ori.hmma <m16n8k8, from = tf32, accumulator = f32> %q4, %d8, %q12 : (!ori.r128<R4>, !ori.r64<R8>, !ori.r128<R12>) -> !ori.r128<R16>
  // CHECK-NEXT: sass.hmma "HMMA.16816.F16 R12, R4, R8, R12"
  %x2 = ori.hmma <m16n8k16, from = f16, accumulator = f16> %q4, %d8, %d12 : (!ori.r128<R4>, !ori.r64<R8>, !ori.r64<R12>) -> !ori.r64<R12>
  // CHECK-NEXT: sass.imma "IMMA.16832.S8.U8 R12, R4.ROW, R8.COL, R12"
  %x3 = ori.imma <m16n8k32, left_format = s8, right_format = u8> %q4, %d8, %q12 : (!ori.r128<R4>, !ori.r64<R8>, !ori.r128<R12>) -> !ori.r128<R12>
  // CHECK-NEXT: sass.imma "IMMA.8816.S8.S8.SAT R8, R4.ROW, R5.COL, R8"
  %x4 = ori.imma <m8n8k16, left_format = s8, right_format = s8, saturate> %r4, %r5, %d8 : (!ori.r<R4>, !ori.r<R5>, !ori.r64<R8>) -> !ori.r64<R8>
  // CHECK-NEXT: sass.bmma "BMMA.168256.AND.POPC R12, R4.ROW, R8.COL, R12"
  %x5 = ori.bmma <m16n8k256> %q4, %d8, %q12 : (!ori.r128<R4>, !ori.r64<R8>, !ori.r128<R12>) -> !ori.r128<R12>
  // CHECK-NEXT: sass.dmma "DMMA.884 R12, R4, R8, R12"
  %x6 = ori.dmma <m8n8k4> %d4, %d8, %q12 : (!ori.r64<R4>, !ori.r64<R8>, !ori.r128<R12>) -> !ori.r128<R12>
  // CHECK-NEXT: sass.hmma "HMMA.SP.16832.F32 R12, R4, R8, R12, R16, 0x1"
  %x7 = ori.hmma_sp <m16n8k32, from = f16, accumulator = f32, selector = 1> %q4, %q8, %q12, %r16 : (!ori.r128<R4>, !ori.r128<R8>, !ori.r128<R12>, !ori.r<R16>) -> !ori.r128<R12>
  // CHECK-NEXT: sass.imma "IMMA.SP.16864.S8.S8 R12, R4.ROW, R8.COL, R12, R16, 0x0"
  %x8 = ori.imma_sp <m16n8k64, left_format = s8, right_format = s8, selector = 0> %q4, %q8, %q12, %r16 : (!ori.r128<R4>, !ori.r128<R8>, !ori.r128<R12>, !ori.r<R16>) -> !ori.r128<R12>
  // CHECK: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_90 target "sm_90a"
ori.func @since_90(%a4x8: !ori.acc<8, R4>, %q16: !ori.r128<R16>, %a24x8: !ori.acc<8, R24>, %w4: !ori.ur64<UR4>, %w6: !ori.ur64<UR6>, %a24x32: !ori.acc<32, R24>, %q8: !ori.r128<R8>, %v1: !ori.up<UP1>) target "sm_90a" {
  // CHECK: sass.dmma "DMMA.16x8x8 R24, R4, R16, R24"
  %x0 = ori.dmma <m16n8k8> %a4x8, %q16, %a24x8 : (!ori.acc<8, R4>, !ori.r128<R16>, !ori.acc<8, R24>) -> !ori.acc<8, R24>
  // CHECK-NEXT: sass.warpgroup "WARPGROUP.ARRIVE"
  ori.wgmma.fence
  // The last product of a group counts it.
  // CHECK-NEXT: sass.hgmma "HGMMA.64x64x16.F32.BF16 R24, gdesc[UR4], R24" <
  %x1 = ori.wgmma.mma <columns = 64, depth = 16, half, left_format = bf16, right_format = bf16, accumulator = f32> %w4, %w6 accumulator(%a24x32) : (!ori.ur64<UR4>, !ori.ur64<UR6>, !ori.acc<32, R24>) -> !ori.acc<32, R24>
  // CHECK-NEXT: sass.hgmma "HGMMA.64x64x16.F32 R24, R8, gdesc[UR4].tnspB, R24, !UP1, gsb0"
  %x2 = ori.wgmma.mma <columns = 64, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32, transpose_right> %q8, %w6 accumulator(%a24x32) scale(not %v1) : (!ori.r128<R8>, !ori.ur64<UR6>, !ori.acc<32, R24>, !ori.up<UP1>) -> !ori.acc<32, R24>
  // no instruction
  ori.wgmma.commit
  // CHECK-NEXT: sass.qgmma "QGMMA.64x64x32.F32.E4M3.E5M2 R24, gdesc[UR4], RZ, !UPT, gsb0"
  %x3 = ori.wgmma.mma <columns = 64, depth = 32, fp8, left_format = e4m3, right_format = e5m2, accumulator = f32> %w4, %w6 : (!ori.ur64<UR4>, !ori.ur64<UR6>) -> !ori.acc<32, R24>
  // CHECK-NEXT: sass.warpgroup "WARPGROUP.DEPBAR.LE gsb0, 0x0"
  ori.wgmma.wait <count = 0>
  // CHECK: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_100 target "sm_100a"
ori.func @since_100(%w4: !ori.ur64<UR4>, %w6: !ori.ur64<UR6>, %u8: !ori.ur<UR8>, %w10: !ori.ur64<UR10>, %v1: !ori.up<UP1>, %u4: !ori.ur<UR4>, %u12: !ori.ur<UR12>, %u13: !ori.ur<UR13>, %d8: !ori.r64<R8>, %u5: !ori.ur<UR5>) target "sm_100a" {
  %U0 = ori.imm 0 : !ori.up
  // CHECK: sass.utchmma "UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], UP1"
  ori.tcgen05.mma <f16> %w4, %w6, %u8, %w10 scale(%v1) : (!ori.ur64<UR4>, !ori.ur64<UR6>, !ori.ur<UR8>, !ori.ur64<UR10>, !ori.up<UP1>) -> ()
  // CHECK-NEXT: sass.utcimma "UTCIMMA.2CTA gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], !UPT"
  ori.tcgen05.mma <i8, two_ctas> %w4, %w6, %u8, %w10 scale(%U0) : (!ori.ur64<UR4>, !ori.ur64<UR6>, !ori.ur<UR8>, !ori.ur64<UR10>, !ori.up) -> ()
  // CHECK-NEXT: sass.utcqmma "UTCQMMA tmem[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], tmem[UR12], UPT"
  ori.tcgen05.mma <mxf8f6f4> %u4, %w6, %u8, %w10 scales(%u12, %u13) : (!ori.ur<UR4>, !ori.ur64<UR6>, !ori.ur<UR8>, !ori.ur64<UR10>, !ori.ur<UR12>, !ori.ur<UR13>) -> ()
  // CHECK-NEXT: sass.ldtm "LDTM.x32 R16, tmem[UR4]"
  %x0 = ori.tcgen05.ld <s32x32b, repeat = 32> %u4 : (!ori.ur<UR4>) -> !ori.acc<32, R16>
  // CHECK-NEXT: sass.ldtm "LDTM.16dp32bit_t0_t15.x8 R16, tmem[UR4]"
  // CHECK-NEXT: sass.ldtm "LDTM.16dp32bit_t16_t31.x8 R16, tmem[UR4+0x20]"
  %x1 = ori.tcgen05.ld <s16x32bx2, repeat = 8, half_distance = 32> %u4 : (!ori.ur<UR4>) -> !ori.acc<8, R16>
  // CHECK-NEXT: sass.ldtm "LDTM.16dp256bit.PACK16BIT R16, tmem[UR4]"
  %x2 = ori.tcgen05.ld <s16x256b, repeat = 1, pack> %u4 : (!ori.ur<UR4>) -> !ori.r128<R16>
  // CHECK-NEXT: sass.sttm "STTM.x2.EXPAND16BIT tmem[UR4], R8"
  ori.tcgen05.st <s32x32b, repeat = 2, pack> %u4, %d8 : (!ori.ur<UR4>, !ori.r64<R8>) -> ()
  // CHECK-NEXT: sass.fence "FENCE.VIEW.ASYNC.T"
  ori.tcgen05.wait_st
  // CHECK-NEXT: sass.utccp "UTCCP.T.S tmem[UR4], gdesc[UR6]"
  ori.tcgen05.cp <s128x256b> %u4, %w6 : (!ori.ur<UR4>, !ori.ur64<UR6>) -> ()
  // CHECK-NEXT: sass.utccp "UTCCP.T.S.2CTA.4x32dp128bit tmem[UR4], gdesc[UR6]"
  ori.tcgen05.cp <s32x128b, warpx4, two_ctas> %u4, %w6 : (!ori.ur<UR4>, !ori.ur64<UR6>) -> ()
  // CHECK-NEXT: sass.utccp "UTCCP.T.S.2x64dp128bit_lw01_lw23 tmem[UR4], gdesc[UR6]"
  ori.tcgen05.cp <s64x128b, warpx2_01_23> %u4, %w6 : (!ori.ur<UR4>, !ori.ur64<UR6>) -> ()
  // CHECK-NEXT: sass.utcshift "UTCSHIFT.DOWN tmem[UR4]"
  ori.tcgen05.shift %u4 : (!ori.ur<UR4>) -> ()
  // CHECK-NEXT: sass.utcbar "UTCBAR [UR4], URZ"
  ori.tcgen05.commit %u4 : (!ori.ur<UR4>) -> ()
  // CHECK-NEXT: sass.utcbar "UTCBAR.2CTA.MULTICAST [UR4], URZ, UR5"
  ori.tcgen05.commit <two_ctas> %u4 multicast(%u5) : (!ori.ur<UR4>, !ori.ur<UR5>) -> ()
  // CHECK-NEXT: sass.utcatomsws "UTCATOMSWS.FIND_AND_SET.ALIGN UP1, UR5, UR4"
  %x3:2 = ori.tcgen05.alloc %u4 : (!ori.ur<UR4>) -> (!ori.ur<UR5>, !ori.up<UP1>)
  // CHECK-NEXT: sass.utcatomsws "UTCATOMSWS.AND URZ, UR4"
  ori.tcgen05.dealloc %u4 : (!ori.ur<UR4>) -> ()
  // CHECK-NEXT: sass.uvirtcount "UVIRTCOUNT.DEALLOC.SMPOOL 0x80"
  ori.tcgen05.permit
  // CHECK: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_120 target "sm_120a"
ori.func @since_120(%q4: !ori.r128<R4>, %d8: !ori.r64<R8>, %q12: !ori.r128<R12>, %q8: !ori.r128<R8>, %r16: !ori.r<R16>, %r17: !ori.r<R17>, %u4: !ori.ur<UR4>) target "sm_120a" {
  // CHECK: sass.qmma "QMMA.16832.F32.E4M3.E5M2 R12, R4, R8, R12"
  %x0 = ori.qmma <m16n8k32, left_format = e4m3, right_format = e5m2, accumulator = f32> %q4, %d8, %q12 : (!ori.r128<R4>, !ori.r64<R8>, !ori.r128<R12>) -> !ori.r128<R12>
  // CHECK-NEXT: sass.qmma "QMMA.SP.16864.F32.E4M3.E4M3 R12, R4, R8, R12, R16, 0x0"
  %x1 = ori.qmma_sp <m16n8k64, left_format = e4m3, right_format = e4m3, accumulator = f32, selector = 0> %q4, %q8, %q12, %r16 : (!ori.r128<R4>, !ori.r128<R8>, !ori.r128<R12>, !ori.r<R16>) -> !ori.r128<R12>
  // CHECK-NEXT: sass.qmma "QMMA.SF.16832.F32.E4M3.E4M3.E8 R12, R4, R8, R12, R16, R17, UR4"
  %x2 = ori.qmma_sf <m16n8k32, left_format = e4m3, right_format = e4m3> %q4, %d8, %q12, %r16, %r17, %u4 : (!ori.r128<R4>, !ori.r64<R8>, !ori.r128<R12>, !ori.r<R16>, !ori.r<R17>, !ori.ur<UR4>) -> !ori.r128<R12>
  // CHECK-NEXT: sass.inst "OMMA.SF.16864.F32.E2M1.E2M1.E8 R12, R4, R8, R12, R16, R17, UR4"
  %x3 = ori.omma_sf <m16n8k64, ue8m0, scales = 2> %q4, %d8, %q12, %r16, %r17, %u4 : (!ori.r128<R4>, !ori.r64<R8>, !ori.r128<R12>, !ori.r<R16>, !ori.r<R17>, !ori.ur<UR4>) -> !ori.r128<R12>
  // CHECK-NEXT: sass.inst "OMMA.SF.16864.F32.E2M1.E2M1.UE4M3.4X R12, R4, R8, R12, R16, R17, UR4"
  %x4 = ori.omma_sf <m16n8k64, e4m3, scales = 4> %q4, %d8, %q12, %r16, %r17, %u4 : (!ori.r128<R4>, !ori.r64<R8>, !ori.r128<R12>, !ori.r<R16>, !ori.r<R17>, !ori.ur<UR4>) -> !ori.r128<R12>
  // CHECK: sass.ret
  ori.ret
}
