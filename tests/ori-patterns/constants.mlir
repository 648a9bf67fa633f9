// Loads of constant banks at known addresses.
//
// RUN: orison-opt --canonicalize %s | FileCheck %s

// CHECK-LABEL: @ldc_constant_address(
// CHECK-DAG: %[[WORD:.*]] = ori.cbank[0, 364] : !ori.r
// CHECK-DAG: %[[PAIR:.*]] = ori.cbank[3, 16] : !ori.r64
// CHECK: ori.ret %[[WORD]], %[[PAIR]]
ori.func @ldc_constant_address() -> (!ori.r, !ori.r64) target "sm_80" {
  %address = ori.imm 8 : !ori.r
  %word = ori.ldc [%address + 356] : (!ori.r) -> !ori.r
  %pair = ori.ldc <b64, bank = 3> [%address + 8] : (!ori.r) -> !ori.r64
  ori.ret %word, %pair : !ori.r, !ori.r64
}

// Unknown addresses, narrow accesses, misaligned accesses, offsets outside of the bank,
// and loads under a guard stay.
// CHECK-LABEL: @ldc_constant_address_not(
// CHECK-NOT: ori.cbank
// CHECK: ori.ret
ori.func @ldc_constant_address_not(%a: !ori.r, %p: !ori.p) -> (!ori.r, !ori.r, !ori.r64, !ori.r, !ori.r) target "sm_80" {
  %address = ori.imm 4 : !ori.r
  %unknown = ori.ldc [%a + 8] : (!ori.r) -> !ori.r
  %byte = ori.ldc <u8> [%address + 8] : (!ori.r) -> !ori.r
  %pair = ori.ldc <b64> [%address + 8] : (!ori.r) -> !ori.r64
  %outside = ori.ldc [%address + 65532] : (!ori.r) -> !ori.r
  %guarded = ori.ldc [%address + 8] if %p : (!ori.r, !ori.p) -> !ori.r
  ori.ret %unknown, %byte, %pair, %outside, %guarded : !ori.r, !ori.r, !ori.r64, !ori.r, !ori.r
}
