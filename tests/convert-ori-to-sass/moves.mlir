// Moves, selections and special registers; guards.
//
// RUN: orison-opt %s --convert-ori-to-sass | FileCheck %s

// CHECK-LABEL: sass.func @moves target "sm_80"
ori.func @moves(%r4: !ori.r<R4>, %u4: !ori.ur<UR4>, %p1: !ori.p<P1>, %u6: !ori.ur<UR6>, %r7: !ori.r<R7>) target "sm_80" {
  %Im1 = ori.imm -1 : !ori.r
  %C352 = ori.cbank[0, 352] : !ori.r
  %J9 = ori.imm 9 : !ori.ur
  // CHECK: sass.mov "MOV R7, R4"
  %x0 = ori.mov %r4 : (!ori.r<R4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.mov "MOV R7, 0xffffffff"
  %x1 = ori.mov %Im1 : (!ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.mov "MOV R7, UR4"
  %x2 = ori.mov %u4 : (!ori.ur<UR4>) -> !ori.r<R7>
  // CHECK-NEXT: sass.mov "MOV R7, c[0x0][0x160]"
  %x3 = ori.mov %C352 : (!ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.sel "SEL R7, R4, 0xffffffff, !P1"
  %x4 = ori.sel %r4, %Im1, not %p1 : (!ori.r<R4>, !ori.r, !ori.p<P1>) -> !ori.r<R7>
  // CHECK-NEXT: sass.r2ur "R2UR UR4, R4"
  %x5 = ori.r2ur %r4 : (!ori.r<R4>) -> !ori.ur<UR4>
  // CHECK-NEXT: sass.umov "UMOV UR4, 0x9"
  %x6 = ori.umov %J9 : (!ori.ur) -> !ori.ur<UR4>
  // CHECK-NEXT: sass.umov "UMOV UR4, UR6"
  %x7 = ori.umov %u6 : (!ori.ur<UR6>) -> !ori.ur<UR4>
  // CHECK-NEXT: sass.s2r "S2R R7, SR_TID.X"
  %x8 = ori.s2r <register = "SR_TID.X"> : !ori.r<R7>
  // CHECK-NEXT: sass.cs2r "CS2R.32 R7, SR_CLOCKLO"
  %x9 = ori.cs2r <register = "SR_CLOCKLO"> : !ori.r<R7>
  // CHECK-NEXT: sass.cs2r "CS2R R8, SRZ"
  %x10 = ori.cs2r <register = "SRZ", wide> : !ori.r64<R8>
  // CHECK-NEXT: sass.s2ur "S2UR UR4, SR_CTAID.X"
  %x11 = ori.s2ur <register = "SR_CTAID.X"> : !ori.ur<UR4>
  // CHECK-NEXT: sass.mov "@P1 MOV R7, R4"
  %x12 = ori.mov %r4 if %p1 else %r7 : (!ori.r<R4>, !ori.p<P1>, !ori.r<R7>) -> !ori.r<R7>
  // CHECK-NEXT: sass.mov "@!P1 MOV R7, R4"
  %x13 = ori.mov %r4 if not %p1 else %r7 : (!ori.r<R4>, !ori.p<P1>, !ori.r<R7>) -> !ori.r<R7>
  // CHECK-NEXT: sass.ret
  ori.ret
}

// CHECK-LABEL: sass.func @since_90 target "sm_90a"
ori.func @since_90(%r4: !ori.r<R4>, %r5: !ori.r<R5>) target "sm_90a" {
  %C528 = ori.cbank[0, 528] : !ori.r
  %C0 = ori.cbank[0, 0] : !ori.r
  // CHECK: sass.ldc "LDC R7, c[0x0][0x210]"
  %x0 = ori.mov %C528 : (!ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.ldc "LDC R7, c[0x0][RZ]"
  %x1 = ori.mov %C0 : (!ori.r) -> !ori.r<R7>
  // CHECK-NEXT: sass.prmt "PRMT R7, R5, 0x654, R4"
  %x2 = ori.mapa %r4, %r5 : (!ori.r<R4>, !ori.r<R5>) -> !ori.r<R7>
  // CHECK-NEXT: sass.cs2ur "CS2UR.32 UR4, SR_CLOCKLO"
  %x3 = ori.cs2ur <register = "SR_CLOCKLO"> : !ori.ur<UR4>
  // CHECK-NEXT: sass.ret
  ori.ret
}
