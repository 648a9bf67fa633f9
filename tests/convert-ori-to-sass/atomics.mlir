// Atomic operations.
//
// RUN: orison-opt %s --convert-ori-to-sass | FileCheck %s

// CHECK-LABEL: sass.func @atomics target "sm_80"
ori.func @atomics(%d4: !ori.r64<R4>, %r8: !ori.r<R8>, %w4: !ori.ur64<UR4>, %p1: !ori.p<P1>, %r9: !ori.r<R9>, %d8: !ori.r64<R8>, %d10: !ori.r64<R10>, %r4: !ori.r<R4>) target "sm_80" {
  // CHECK: sass.atomg "ATOMG.E.ADD.STRONG.GPU PT, R9, [R4.64], R8"
  %x0 = ori.atomg <add, u32> [%d4], %r8 descriptor(%w4) : (!ori.r64<R4>, !ori.r<R8>, !ori.ur64<UR4>) -> !ori.r<R9>
  // CHECK-NEXT: sass.atomg "@P1 ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, R9, [R4.64+0x4], R8"
  %x1 = ori.atomg <add, f32, strong, gpu, ftz, rn> [%d4 + 4], %r8 descriptor(%w4) if %p1 else %r9 : (!ori.r64<R4>, !ori.r<R8>, !ori.ur64<UR4>, !ori.p<P1>, !ori.r<R9>) -> !ori.r<R9>
  // CHECK-NEXT: sass.atomg "ATOMG.E.MAX.S32.STRONG.GPU PT, R9, [R4.64], R8"
  %x2 = ori.atomg <max, s32> [%d4], %r8 descriptor(%w4) : (!ori.r64<R4>, !ori.r<R8>, !ori.ur64<UR4>) -> !ori.r<R9>
  // CHECK-NEXT: sass.atomg "ATOMG.E.ADD.64.STRONG.GPU PT, R10, [R4.64], R8"
  %x3 = ori.atomg <add, u64> [%d4], %d8 descriptor(%w4) : (!ori.r64<R4>, !ori.r64<R8>, !ori.ur64<UR4>) -> !ori.r64<R10>
  // CHECK-NEXT: sass.atomg "ATOMG.E.EXCH.STRONG.GPU PT, R9, [R4.64], R8"
  %x4 = ori.atomg <exch, b32> [%d4], %r8 descriptor(%w4) : (!ori.r64<R4>, !ori.r<R8>, !ori.ur64<UR4>) -> !ori.r<R9>
  // CHECK-NEXT: sass.atomg "ATOMG.E.CAS.64.STRONG.SYS PT, R12, [R4+0x8], R10, R8"
  %x5 = ori.atomg <cas, b64, strong, sys> [%d4 + 8], %d8 descriptor(%w4) expected(%d10) : (!ori.r64<R4>, !ori.r64<R8>, !ori.ur64<UR4>, !ori.r64<R10>) -> !ori.r64<R12>
  // CHECK-NEXT: sass.atom "ATOM.E.ADD.F16x2.RN.STRONG.GPU PT, R9, [R4.64], R8"
  %x6 = ori.atom <add, f16x2, rn> [%d4], %r8 descriptor(%w4) : (!ori.r64<R4>, !ori.r<R8>, !ori.ur64<UR4>) -> !ori.r<R9>
  // CHECK-NEXT: sass.atoms "ATOMS.ADD R9, [R4], R8"
  %x7 = ori.atoms <add, u32> [%r4], %r8 : (!ori.r<R4>, !ori.r<R8>) -> !ori.r<R9>
  // CHECK-NEXT: sass.atoms "ATOMS.CAS R10, [R4+0x4], R9, R8"
  %x8 = ori.atoms <cas, b32> [%r4 + 4], %r8 expected(%r9) : (!ori.r<R4>, !ori.r<R8>, !ori.r<R9>) -> !ori.r<R10>
  // CHECK-NEXT: sass.atoms "ATOMS.POPC.INC.32 R9, [R4+URZ]"
  %x9 = ori.atoms <popc_inc, u32> [%r4], %r8 : (!ori.r<R4>, !ori.r<R8>) -> !ori.r<R9>
  // CHECK-NEXT: sass.red "RED.E.ADD.STRONG.GPU [R4.64], R8"
  ori.red <add, u32> [%d4], %r8 descriptor(%w4) : (!ori.r64<R4>, !ori.r<R8>, !ori.ur64<UR4>) -> ()
  // CHECK-NEXT: sass.red "RED.E.MIN.S32.STRONG.GPU [R4.64], R8"
  ori.redg <min, s32, strong, gpu> [%d4], %r8 descriptor(%w4) : (!ori.r64<R4>, !ori.r<R8>, !ori.ur64<UR4>) -> ()
  // CHECK-NEXT: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_90 target "sm_90a"
ori.func @since_90(%d4: !ori.r64<R4>, %r8: !ori.r<R8>, %w4: !ori.ur64<UR4>, %p1: !ori.p<P1>, %r9: !ori.r<R9>, %d8: !ori.r64<R8>, %d10: !ori.r64<R10>, %r4: !ori.r<R4>) target "sm_90a" {
  // CHECK: sass.atomg "ATOMG.E.ADD.STRONG.GPU PT, R9, desc[UR4][R4.64], R8"
  %x0 = ori.atomg <add, u32> [%d4], %r8 descriptor(%w4) : (!ori.r64<R4>, !ori.r<R8>, !ori.ur64<UR4>) -> !ori.r<R9>
  // CHECK-NEXT: sass.atomg "@P1 ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, R9, desc[UR4][R4.64+0x4], R8"
  %x1 = ori.atomg <add, f32, strong, gpu, ftz, rn> [%d4 + 4], %r8 descriptor(%w4) if %p1 else %r9 : (!ori.r64<R4>, !ori.r<R8>, !ori.ur64<UR4>, !ori.p<P1>, !ori.r<R9>) -> !ori.r<R9>
  // CHECK-NEXT: sass.atomg "ATOMG.E.MAX.S32.STRONG.GPU PT, R9, desc[UR4][R4.64], R8"
  %x2 = ori.atomg <max, s32> [%d4], %r8 descriptor(%w4) : (!ori.r64<R4>, !ori.r<R8>, !ori.ur64<UR4>) -> !ori.r<R9>
  // CHECK-NEXT: sass.atomg "ATOMG.E.ADD.64.STRONG.GPU PT, R10, desc[UR4][R4.64], R8"
  %x3 = ori.atomg <add, u64> [%d4], %d8 descriptor(%w4) : (!ori.r64<R4>, !ori.r64<R8>, !ori.ur64<UR4>) -> !ori.r64<R10>
  // CHECK-NEXT: sass.atomg "ATOMG.E.EXCH.STRONG.GPU PT, R9, desc[UR4][R4.64], R8"
  %x4 = ori.atomg <exch, b32> [%d4], %r8 descriptor(%w4) : (!ori.r64<R4>, !ori.r<R8>, !ori.ur64<UR4>) -> !ori.r<R9>
  // CHECK-NEXT: sass.atomg "ATOMG.E.CAS.64.STRONG.SYS PT, R12, [R4+0x8], R10, R8"
  %x5 = ori.atomg <cas, b64, strong, sys> [%d4 + 8], %d8 descriptor(%w4) expected(%d10) : (!ori.r64<R4>, !ori.r64<R8>, !ori.ur64<UR4>, !ori.r64<R10>) -> !ori.r64<R12>
  // CHECK-NEXT: sass.atom "ATOM.E.ADD.F16x2.RN.STRONG.GPU PT, R9, desc[UR4][R4.64], R8"
  %x6 = ori.atom <add, f16x2, rn> [%d4], %r8 descriptor(%w4) : (!ori.r64<R4>, !ori.r<R8>, !ori.ur64<UR4>) -> !ori.r<R9>
  // CHECK-NEXT: sass.atoms "ATOMS.ADD R9, [R4], R8"
  %x7 = ori.atoms <add, u32> [%r4], %r8 : (!ori.r<R4>, !ori.r<R8>) -> !ori.r<R9>
  // CHECK-NEXT: sass.atoms "ATOMS.CAS R10, [R4+0x4], R9, R8"
  %x8 = ori.atoms <cas, b32> [%r4 + 4], %r8 expected(%r9) : (!ori.r<R4>, !ori.r<R8>, !ori.r<R9>) -> !ori.r<R10>
  // CHECK-NEXT: sass.atoms "ATOMS.POPC.INC.32 R9, [R4+URZ]"
  %x9 = ori.atoms <popc_inc, u32> [%r4], %r8 : (!ori.r<R4>, !ori.r<R8>) -> !ori.r<R9>
  // CHECK-NEXT: sass.atom "ATOM.E.ADD.STRONG.GPU PT, RZ, desc[UR4][R4.64], R8"
  ori.red <add, u32> [%d4], %r8 descriptor(%w4) : (!ori.r64<R4>, !ori.r<R8>, !ori.ur64<UR4>) -> ()
  // CHECK-NEXT: sass.redg "REDG.E.MIN.S32.STRONG.GPU desc[UR4][R4.64], R8"
  ori.redg <min, s32, strong, gpu> [%d4], %r8 descriptor(%w4) : (!ori.r64<R4>, !ori.r<R8>, !ori.ur64<UR4>) -> ()
  // CHECK-NEXT: sass.ret
  ori.ret
}
