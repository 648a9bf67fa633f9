// Verifier errors of cluster and multi-device memory, the stack, and aliases.
//
// RUN: orison-opt --split-input-file --verify-diagnostics %s

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{must store 4, 8 or 16 bytes}}
  ori.stas <u8> %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> ()
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expects 'value' to have 64 bits, found 32}}
  ori.stas <b64> %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> ()
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{is not defined for this type}}
  ori.redas <inc, s32> %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> ()
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{must combine by 'add', 'min', 'max', 'and', 'or' or 'xor'}}
  %x = ori.ldgmc <width = b32, exch, u32> [%d] : (!ori.r64) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{alignment must be a power of two, but is 3}}
  %x = ori.alloca <alignment = 3> %r : (!ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_100a" {
  // expected-error @+1 {{expects 4 values of this format, found 3}}
  %x = ori.f2fp_rs <e5m2> values(%r, %r, %r) %r : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %a: !ori.acc<8>) target "sm_100a" {
  // expected-error @+1 {{the matrices must fit in four registers}}
  %x = ori.ldsm <x4, transposed, m16n16> [%r] : (!ori.r) -> !ori.acc<8>
  ori.ret
}

// -----

ori.func @f(%u: !ori.ur, %v: !ori.ur64) target "sm_100a" {
  // expected-error @+1 {{has a form that is not defined for this number of dimensions}}
  ori.utmapf <dimensions = 3, gather4> %v coordinates(%u, %u, %u, %u, %u) : (!ori.ur64, !ori.ur, !ori.ur, !ori.ur, !ori.ur, !ori.ur) -> ()
  ori.ret
}

// -----

ori.func @f(%u: !ori.ur, %v: !ori.ur64) target "sm_100a" {
  // expected-error @+1 {{expects 5 coordinates for form 'gather4', found 2}}
  ori.utmapf <dimensions = 2, gather4> %v coordinates(%u, %u) : (!ori.ur64, !ori.ur, !ori.ur) -> ()
  ori.ret
}

// -----

ori.memory global @m, size 4, align 4
// expected-error @+1 {{symbol 'm' is not an 'ori.func' with a body}}
ori.alias @a = @m
