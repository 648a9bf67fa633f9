// Addresses, and the descriptor of global memory.
//
// RUN: orison-opt %s --ori-enforce-argument-restrictions | FileCheck %s

ori.memory shared @first, size 12, align 4
ori.memory shared @second, size 64, align 16
ori.memory shared @open, size 0, align 8
ori.memory constant @one, size 4, align 4
ori.memory constant @two, size 8, align 8
ori.memory global @data, size 4, align 4

// The descriptor is loaded once, at the start, from where the machine has it.
// CHECK-LABEL: @descriptor_80(
// CHECK-NEXT: %[[D:.*]] = ori.uldc <b64, bank = 0> [280] : !ori.ur64
// CHECK: ori.ldg <b32> [%arg0] descriptor(%[[D]])
// CHECK: ori.stg <b32> [%arg0 + 4] descriptor(%[[D]]), %
// CHECK: ori.atomg {{.*}} [%arg0], %{{.*}} descriptor(%[[D]])
ori.func @descriptor_80(%a: !ori.r64) target "sm_80" {
  %x = ori.ldg <b32> [%a] : (!ori.r64) -> !ori.r
  ori.stg <b32> [%a + 4], %x : (!ori.r64, !ori.r) -> ()
  %old = ori.atomg <add, u32> [%a], %x : (!ori.r64, !ori.r) -> !ori.r
  ori.ret
}

// CHECK-LABEL: @descriptor_90(
// CHECK-NEXT: ori.uldc <b64, bank = 0> [520]
// CHECK-LABEL: @descriptor_100(
// CHECK-NEXT: ori.ldcu <b64, bank = 0> [856]
// CHECK-LABEL: @descriptor_75(
// CHECK-NOT: descriptor
ori.func @descriptor_90(%a: !ori.r64, %x: !ori.r) target "sm_90" {
  ori.st <b32> [%a], %x : (!ori.r64, !ori.r) -> ()
  ori.ret
}
ori.func @descriptor_100(%a: !ori.r64, %x: !ori.r) target "sm_100" {
  ori.st <b32> [%a], %x : (!ori.r64, !ori.r) -> ()
  ori.ret
}
ori.func @descriptor_75(%a: !ori.r64, %x: !ori.r) target "sm_75" {
  ori.st <b32> [%a], %x : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// A cache policy takes its place, in uniform registers. Comparisons and shared memory have none.
// CHECK-LABEL: @policy(
// CHECK: %[[P:.*]] = ori.concat {{.*}} -> !ori.ur64
// CHECK: ori.ldg <b32> [%arg0] policy(%[[P]])
// CHECK-NOT: descriptor
// CHECK: ori.lds
ori.func @policy(%a: !ori.r64, %p: !ori.r64, %s: !ori.r) target "sm_80" {
  %x = ori.ldg <b32> [%a] policy(%p) : (!ori.r64, !ori.r64) -> !ori.r
  %old = ori.atomg <cas, b32> [%a], %x expected(%x) : (!ori.r64, !ori.r, !ori.r) -> !ori.r
  %y = ori.lds <b32> [%s] : (!ori.r) -> !ori.r
  ori.ret
}

// Variables in shared memory follow each other, aligned; those that the launch sizes are last.
// CHECK-LABEL: @shared_80(
// CHECK: %[[OPEN:.*]] = ori.imm 80
// CHECK: ori.lds <b32> [0]
// CHECK: ori.lds <b32> [20]
// CHECK: ori.iadd3 %arg0, %[[OPEN]]
ori.func @shared_80(%i: !ori.r) -> !ori.r target "sm_80" {
  %a = ori.address_of @first : !ori.r
  %b = ori.address_of @second : !ori.r
  %c = ori.address_of @open : !ori.r
  %x = ori.lds <b32> [%a] : (!ori.r) -> !ori.r
  %y = ori.lds <b32> [%b + 4] : (!ori.r) -> !ori.r
  %z = ori.iadd3 %c, %i, %y : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret %z : !ori.r
}

// From sm_90 on they start at 0x400, and the rank of the CTA is in the high byte.
// CHECK-LABEL: @shared_90(
// CHECK: %[[RANK:.*]] = ori.s2r <register = "SR_CgaCtaId">
// CHECK: %[[START:.*]] = ori.imm 1040
// CHECK: %[[A:.*]] = ori.lea <shift = 24> %[[RANK]], %[[START]],
// CHECK: ori.lds <b32> [%[[A]] + 4]
ori.func @shared_90() -> !ori.r target "sm_90" {
  %b = ori.address_of @second : !ori.r
  %y = ori.lds <b32> [%b + 4] : (!ori.r) -> !ori.r
  ori.ret %y : !ori.r
}

// The address of a constant is its offset in bank 3. That of other memory is left to the linker.
// CHECK-LABEL: @constants(
// CHECK: ori.ldc <b32, bank = 3> [8]
// CHECK: ori.ldc <b32, bank = 3> [%{{.*}} + 4]
// CHECK: ori.address_of @data
ori.func @constants(%i: !ori.r64) -> (!ori.r, !ori.r, !ori.r64) target "sm_80" {
  %a = ori.address_of @two : !ori.r64
  %x = ori.ldc <bank = 3> [%a] : (!ori.r64) -> !ori.r
  %y = ori.ldc <bank = 3> [%i + 4] : (!ori.r64) -> !ori.r
  %data = ori.address_of @data : !ori.r64
  ori.ret %x, %y, %data : !ori.r, !ori.r, !ori.r64
}
