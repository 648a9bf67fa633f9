// Loads and stores.
//
// RUN: orison-opt %s --convert-ori-to-sass | FileCheck %s

// CHECK-LABEL: sass.func @memory target "sm_80"
ori.func @memory(%d4: !ori.r64<R4>, %w4: !ori.ur64<UR4>, %w6: !ori.ur64<UR6>, %r8: !ori.r<R8>, %p1: !ori.p<P1>, %q8: !ori.r128<R8>, %r4: !ori.r<R4>, %u5: !ori.ur<UR5>, %u4: !ori.ur<UR4>, %d8: !ori.r64<R8>) target "sm_80" {
  %I64 = ori.imm 64 : !ori.r
  // The descriptor is hidden in the text; a cache policy in its place is not.
  // CHECK: sass.ldg "LDG.E R8, [R4.64]"
  %x0 = ori.ldg <b32> [%d4] descriptor(%w4) : (!ori.r64<R4>, !ori.ur64<UR4>) -> !ori.r<R8>
  // CHECK-NEXT: sass.ldg "LDG.E.128.CONSTANT R8, [R4.64+0x10]"
  %x1 = ori.ldg <b128, constant> [%d4 + 16] descriptor(%w4) : (!ori.r64<R4>, !ori.ur64<UR4>) -> !ori.r128<R8>
  // CHECK-NEXT: sass.ldg "LDG.E.U16.STRONG.SYS R8, [R4.64+-0x2]"
  %x2 = ori.ldg <u16, strong, sys> [%d4 - 2] descriptor(%w4) : (!ori.r64<R4>, !ori.ur64<UR4>) -> !ori.r<R8>
  // CHECK-NEXT: sass.ldg "LDG.E.EF.LTC128B.64 R8, [R4.64]"
  %x3 = ori.ldg <b64, evict_first, ltc128b> [%d4] descriptor(%w4) : (!ori.r64<R4>, !ori.ur64<UR4>) -> !ori.r64<R8>
  // CHECK-NEXT: sass.ldg "LDG.E R8, desc[UR6][R4.64]"
  %x4 = ori.ldg <b32> [%d4] policy(%w6) : (!ori.r64<R4>, !ori.ur64<UR6>) -> !ori.r<R8>
  // CHECK-NEXT: sass.ld "LD.E.STRONG.GPU R8, [R4.64+0x8]"
  %x5 = ori.ld <b32, strong, gpu> [%d4 + 8] descriptor(%w4) : (!ori.r64<R4>, !ori.ur64<UR4>) -> !ori.r<R8>
  // CHECK-NEXT: sass.stg "@!P1 STG.E.STRONG.SYS [R4.64+0xc], R8"
  ori.stg <b32, strong, sys> [%d4 + 12] descriptor(%w4), %r8 if not %p1 : (!ori.r64<R4>, !ori.ur64<UR4>, !ori.r<R8>, !ori.p<P1>) -> ()
  // CHECK-NEXT: sass.stg "STG.E.U8 [R4.64], R8"
  ori.stg <u8> [%d4] descriptor(%w4), %r8 : (!ori.r64<R4>, !ori.ur64<UR4>, !ori.r<R8>) -> ()
  // CHECK-NEXT: sass.st "ST.E.128 [R4.64], R8"
  ori.st <b128> [%d4] descriptor(%w4), %q8 : (!ori.r64<R4>, !ori.ur64<UR4>, !ori.r128<R8>) -> ()
  // CHECK-NEXT: sass.lds "LDS.64 R8, [R4+UR5+0x10]"
  %x6 = ori.lds <b64> [%r4 + %u5 + 16] : (!ori.r<R4>, !ori.ur<UR5>) -> !ori.r64<R8>
  // CHECK-NEXT: sass.lds "LDS.S8 R8, [R4]"
  %x7 = ori.lds <s8> [%r4] : (!ori.r<R4>) -> !ori.r<R8>
  // CHECK-NEXT: sass.lds "LDS R8, [0x44]"
  %x8 = ori.lds <b32> [%I64 + 4] : (!ori.r) -> !ori.r<R8>
  // CHECK-NEXT: sass.sts "STS.128 [R4+-0x10], R8"
  ori.sts <b128> [%r4 - 16], %q8 : (!ori.r<R4>, !ori.r128<R8>) -> ()
  // CHECK-NEXT: sass.sts "STS.U16 [UR4], R8"
  ori.sts <u16> [%u4], %r8 : (!ori.ur<UR4>, !ori.r<R8>) -> ()
  // CHECK-NEXT: sass.ldl "LDL.LU R8, [R4+0x4]"
  %x9 = ori.ldl <b32, last_use> [%r4 + 4] : (!ori.r<R4>) -> !ori.r<R8>
  // CHECK-NEXT: sass.stl "STL.64 [R4], R8"
  ori.stl <b64> [%r4], %d8 : (!ori.r<R4>, !ori.r64<R8>) -> ()
  // CHECK-NEXT: sass.ldc "LDC R8, c[0x3][R4+0x8]"
  %x10 = ori.ldc <b32, bank = 3> [%r4 + 8] : (!ori.r<R4>) -> !ori.r<R8>
  // CHECK-NEXT: sass.uldc "ULDC.64 UR4, c[0x0][0x118]"
  %x11 = ori.uldc <b64, bank = 0> [280] : !ori.ur64<UR4>
  // CHECK-NEXT: sass.uldc "ULDC UR5, c[0x3][UR4+0x4]"
  %x12 = ori.uldc <b32, bank = 3> [%u4 + 4] : (!ori.ur<UR4>) -> !ori.ur<UR5>
  // CHECK-NEXT: sass.ldsm "LDSM.16.M88.4 R8, [R4+UR5+0x20]"
  %x13 = ori.ldsm <x4> [%r4 + %u5 + 32] : (!ori.r<R4>, !ori.ur<UR5>) -> !ori.r128<R8>
  // CHECK-NEXT: sass.ldsm "LDSM.16.MT88 R8, [R4]"
  %x14 = ori.ldsm <x1, transposed> [%r4] : (!ori.r<R4>) -> !ori.r<R8>
  // CHECK-NEXT: sass.movm "MOVM.16.MT88 R8, R4"
  %x15 = ori.movm %r4 : (!ori.r<R4>) -> !ori.r<R8>
  // CHECK-NEXT: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_90 target "sm_90a"
ori.func @since_90(%d4: !ori.r64<R4>, %w4: !ori.ur64<UR4>, %d8: !ori.r64<R8>, %r8: !ori.r<R8>, %r4: !ori.r<R4>, %q8: !ori.r128<R8>, %r5: !ori.r<R5>) target "sm_90a" {
  // CHECK: sass.ldg "LDG.E R8, desc[UR4][R4.64+0x10]"
  %x0 = ori.ldg <b32> [%d4 + 16] descriptor(%w4) : (!ori.r64<R4>, !ori.ur64<UR4>) -> !ori.r<R8>
  // CHECK-NEXT: sass.stg "STG.E.64 desc[UR4][R4.64], R8"
  ori.stg <b64> [%d4] descriptor(%w4), %d8 : (!ori.r64<R4>, !ori.ur64<UR4>, !ori.r64<R8>) -> ()
  // CHECK-NEXT: sass.redg "REDG.E.ADD.F64.RN.STRONG.GPU desc[UR4][R4.64], R8"
  ori.redg <add, f64, rn> [%d4], %d8 descriptor(%w4) : (!ori.r64<R4>, !ori.r64<R8>, !ori.ur64<UR4>) -> ()
  // CHECK-NEXT: sass.atom "ATOM.E.ADD.STRONG.GPU PT, RZ, desc[UR4][R4.64], R8"
  ori.red <add, u32> [%d4], %r8 descriptor(%w4) : (!ori.r64<R4>, !ori.r<R8>, !ori.ur64<UR4>) -> ()
  // CHECK-NEXT: sass.stsm "STSM.16.M88.4 [R4+0x10], R8"
  ori.stsm <x4> [%r4 + 16], %q8 : (!ori.r<R4>, !ori.r128<R8>) -> ()
  // CHECK-NEXT: sass.ldc "LDC.64 R8, c[0x0][0x210]"
  %x1 = ori.ldc <b64> [528] : !ori.r64<R8>
  // CHECK-NEXT: sass.ldc "LDC R8, c[0x0][RZ]"
  %x2 = ori.ldc <b32> [0] : !ori.r<R8>
  // CHECK-NEXT: sass.stas "STAS.64 [R4.64], R8"
  ori.stas <b64> %r4, %r5, %d8 : (!ori.r<R4>, !ori.r<R5>, !ori.r64<R8>) -> ()
  // CHECK-NEXT: sass.redas "REDAS.ADD [R4.64], R8"
  ori.redas <add, u32> %r4, %r5, %r8 : (!ori.r<R4>, !ori.r<R5>, !ori.r<R8>) -> ()
  // CHECK-NEXT: sass.ldgmc "LDGMC.E.HPADD.F16x8.RN.STRONG.SYS R8, [R4.64+URZ+0x10]"
  %x3 = ori.ldgmc <width = b128, add, f16x2, strong, sys, wide_sums> [%d4 + 16] : (!ori.r64<R4>) -> !ori.r128<R8>
  // CHECK-NEXT: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_100 target "sm_100a"
ori.func @since_100(%u4: !ori.ur<UR4>, %d4: !ori.r64<R4>, %w4: !ori.ur64<UR4>, %a16x8: !ori.acc<8, R16>) target "sm_100a" {
  // CHECK: sass.ldcu "LDCU.64 UR4, c[0x0][0x380]"
  %x0 = ori.ldcu <b64> [896] : !ori.ur64<UR4>
  // CHECK-NEXT: sass.ldcu "LDCU.U8 UR5, c[0x0][UR4+0x3]"
  %x1 = ori.ldcu <u8> [%u4 + 3] : (!ori.ur<UR4>) -> !ori.ur<UR5>
  // CHECK-NEXT: sass.ldg "LDG.E.ENL2.256 R20, R16, desc[UR4][R4.64]"
  %x2 = ori.ldg <b256> [%d4] descriptor(%w4) : (!ori.r64<R4>, !ori.ur64<UR4>) -> !ori.acc<8, R16>
  // CHECK-NEXT: sass.stg "STG.E.ENL2.256 desc[UR4][R4.64+0x20], R16, R20"
  ori.stg <b256> [%d4 + 32] descriptor(%w4), %a16x8 : (!ori.r64<R4>, !ori.ur64<UR4>, !ori.acc<8, R16>) -> ()
  // CHECK: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @turing target "sm_75"
ori.func @turing(%d4: !ori.r64<R4>, %d8: !ori.r64<R8>, %r8: !ori.r<R8>) target "sm_75" {
  // Without descriptor; weak accesses are those of the system.
  // CHECK: sass.ldg "LDG.E.SYS R8, [R4+0x10]"
  %x0 = ori.ldg <b32> [%d4 + 16] : (!ori.r64<R4>) -> !ori.r<R8>
  // CHECK-NEXT: sass.stg "STG.E.64.STRONG.GPU [R4], R8"
  ori.stg <b64, strong, gpu> [%d4], %d8 : (!ori.r64<R4>, !ori.r64<R8>) -> ()
  // CHECK-NEXT: sass.atomg "ATOMG.E.ADD.STRONG.GPU PT, R9, [R4], R8"
  %x1 = ori.atomg <add, u32> [%d4], %r8 : (!ori.r64<R4>, !ori.r<R8>) -> !ori.r<R9>
  // CHECK-NEXT: sass.ret
  ori.ret
}
