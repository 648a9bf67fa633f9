// Kernel parameters that are known: phase 11.
//
// RUN: orison-opt --ori-replace-uniforms-with-imm='known=0:360=9' %s | FileCheck %s
// RUN: orison-opt --ori-replace-uniforms-with-imm %s | FileCheck --check-prefix=OWN %s
// RUN: not orison-opt --ori-replace-uniforms-with-imm='known=360' %s 2>&1 | FileCheck --check-prefix=OPTION %s
// RUN: sed 's/value = 7/value = "7"/' %s > %t.mlir
// RUN: not orison-opt --ori-replace-uniforms-with-imm %t.mlir 2>&1 | FileCheck --check-prefix=WRONG %s

// OPTION: error: {{.*}}expected 'bank:offset=value', found '360'
// WRONG: error: 'ori.func' op attribute 'ori.known_constants' must be an array of {bank, offset, value} with 32-bit integers

// A 32-bit value, a pair of known ones, a load from the bank; unknown parts and values are unchanged.
// The function wins over the option.
// CHECK-LABEL: ori.func kernel @known(
// CHECK: %[[WORD:.*]] = ori.imm 7 : !ori.r
// CHECK-NEXT: %[[PAIR:.*]] = ori.imm 4294967303 : !ori.r64
// CHECK-NEXT: %[[LOADED:.*]] = ori.imm 1 : !ori.r
// CHECK-NEXT: %[[HALF:.*]] = ori.cbank[0, 368] : !ori.r64
// CHECK-NEXT: %[[SET:.*]] = ori.imm 9 : !ori.r
// CHECK-NEXT: ori.stg <b32> [%[[HALF]]], %[[WORD]]
// OWN-LABEL: ori.func kernel @known(
// OWN: ori.cbank[0, 360] : !ori.r
ori.func kernel @known() target "sm_80" attributes {ori.known_constants = [{bank = 0, offset = 352, value = 7}, {bank = 0, offset = 356, value = 1}, {bank = 0, offset = 372, value = 5}]} {
  %word = ori.cbank[0, 352] : !ori.r
  %pair = ori.cbank[0, 352] : !ori.r64
  %loaded = ori.ldc <b32, bank = 0> [356] : () -> !ori.r
  %half = ori.cbank[0, 368] : !ori.r64
  %option = ori.cbank[0, 360] : !ori.r
  ori.stg <b32> [%half], %word : (!ori.r64, !ori.r) -> ()
  ori.stg <b64> [%half + 8], %pair : (!ori.r64, !ori.r64) -> ()
  ori.stg <b32> [%half + 16], %loaded : (!ori.r64, !ori.r) -> ()
  ori.stg <b32> [%half + 20], %option : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// Nothing is known, but for the option: an address that is computed stays.
// CHECK-LABEL: ori.func kernel @unknown(
// CHECK: ori.cbank[0, 352]
// CHECK: ori.ldc
ori.func kernel @unknown() target "sm_80" {
  %p = ori.cbank[0, 352] : !ori.r64
  %i = ori.s2r <register = "SR_TID.X"> : !ori.r
  %x = ori.ldc <b32> [%i + 360] : (!ori.r) -> !ori.r
  ori.stg <b32> [%p], %x : (!ori.r64, !ori.r) -> ()
  ori.exit
}
