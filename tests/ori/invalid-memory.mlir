// Verifier errors of loads, stores, atomics and asynchronous copies.
//
// RUN: orison-opt --split-input-file --verify-diagnostics %s

ori.func @f(%d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{expects 'value' to have 64 bits, found 32}}
  %x = ori.ldg <b64> [%d] : (!ori.r64) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64, %q: !ori.r128) target "sm_90a" {
  // expected-error @+1 {{expects 'value' to have 32 bits, found 128}}
  ori.stg <u8> [%d], %q : (!ori.r64, !ori.r128) -> ()
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{'scope' requires order 'strong' or 'mmio'}}
  %x = ori.ldg <b32, gpu> [%d] : (!ori.r64) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{order 'strong' requires 'scope'}}
  %x = ori.ldg <b32, strong> [%d] : (!ori.r64) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64, %r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{cannot store to constant memory}}
  ori.stg <b32, constant> [%d], %r : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{attribute 'bank' must be from 0 to 31, found 32}}
  %x = ori.ldc <b32, bank = 32> [0] : !ori.r
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{must be 32- or 64-bit uniform register}}
  %x = ori.uldc <b32, bank = 0> [0] : !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expects 'value' to have 128 bits, found 64}}
  %x = ori.ldsm <x4> [%r] : (!ori.r) -> !ori.r64
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expects 'value' to have 64 bits, found 32}}
  ori.stsm <x2> [%r], %r : (!ori.r, !ori.r) -> ()
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64, %r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{operation 'add' is not defined for 'b32'}}
  %x = ori.atomg <add, b32> [%d], %r : (!ori.r64, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64, %r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expects 'value' to have 64 bits, found 32}}
  %x = ori.atomg <add, u64> [%d], %r : (!ori.r64, !ori.r) -> !ori.r64
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64, %r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{requires 'expected' if and only if the operation is 'cas'}}
  %x = ori.atomg <cas, b32> [%d], %r : (!ori.r64, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{requires 'expected' if and only if the operation is 'cas'}}
  %x = ori.atoms <add, u32> [%r], %r expected(%r) : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64, %r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{'exch' and 'cas' return the old value; use 'ori.atom'}}
  ori.red <exch, b32> [%d], %r : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64, %r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{operation 'and' is not defined for 'f32'}}
  ori.redg <and, f32> [%d], %r : (!ori.r64, !ori.r) -> ()
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{must copy 4, 8 or 16 bytes}}
  ori.ldgsts <u8> [%r], [%d] : (!ori.r, !ori.r64) -> ()
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{attribute 'shared_offset' must be a signed 24-bit integer}}
  ori.ldgsts <b32> [%r + 8388608], [%d] : (!ori.r, !ori.r64) -> ()
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{attribute 'count' must be from 0 to 63, found 64}}
  ori.depbar <count = 64>
  ori.ret
}

// -----

ori.func @f(%u: !ori.ur) target "sm_90a" {
  // expected-error @+1 {{requires 'count' if and only if the action is 'init', 'expect_tx' or 'complete_tx'}}
  ori.syncs <init> [%u] : (!ori.ur) -> ()
  ori.ret
}

// -----

ori.func @f(%u: !ori.ur, %r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{requires 'count' if and only if the action is 'init', 'expect_tx' or 'complete_tx'}}
  ori.syncs <inval> [%u] count(%r) : (!ori.ur, !ori.r) -> ()
  ori.ret
}

// -----

ori.func @f(%u: !ori.ur) target "sm_90a" {
  // expected-error @+1 {{expects at most one 'state', found 2}}
  %x:2 = ori.syncs_arrive [%u] : (!ori.ur) -> (!ori.r64, !ori.r64)
  ori.ret
}

// -----

ori.func @f(%v: !ori.ur64, %u: !ori.ur) target "sm_90a" {
  // expected-error @+1 {{expects 2 coordinates for 2 dimensions, found 1}}
  ori.utmaldg <dimensions = 2> %v, %u, %u coordinates(%u) : (!ori.ur64, !ori.ur, !ori.ur, !ori.ur) -> ()
  ori.ret
}

// -----

ori.func @f(%v: !ori.ur64, %u: !ori.ur) target "sm_90a" {
  // expected-error @+1 {{attribute 'dimensions' must be from 1 to 5, found 6}}
  ori.utmastg <dimensions = 6> %v, %u : (!ori.ur64, !ori.ur) -> ()
  ori.ret
}

// -----

ori.func @f(%v: !ori.ur64, %u: !ori.ur) target "sm_90a" {
  // expected-error @+1 {{requires a 32-bit shared memory address as source or destination}}
  ori.ublkcp %v, %v, %u : (!ori.ur64, !ori.ur64, !ori.ur) -> ()
  ori.ret
}
