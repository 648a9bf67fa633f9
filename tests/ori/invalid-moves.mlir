// Verifier errors of moves, special registers and operand values.
//
// RUN: orison-opt --split-input-file --verify-diagnostics %s

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{special register 'TID.X' must start with 'SR'}}
  %x = ori.s2r <register = "TID.X"> : !ori.r
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{special register 'SR_CLOCKLO' is not constant; use 'ori.cs2r'}}
  %x = ori.s2r <register = "SR_CLOCKLO"> : !ori.r
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{is not constant; use 'ori.cs2r'}}
  %x = ori.s2ur <register = "SR_GLOBALTIMERLO"> : !ori.ur
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{expects 'result' to have 64 bits, found 32}}
  %x = ori.cs2r <register = "SR_CLOCKLO", wide> : !ori.r
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{value 4294967296 does not fit in the register}}
  %x = ori.imm 4294967296 : !ori.r
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{value 2 does not fit in the register}}
  %x = ori.imm 2 : !ori.p
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{expects a 32-bit register, a 64-bit register or a predicate}}
  %x = ori.imm 2 : !ori.r128
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{integer value too large}}
  %x = ori.imm 99999999999999999999 : !ori.r
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{attribute 'bank' must be from 0 to 31, found 32}}
  %x = ori.cbank[32, 0] : !ori.r
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{attribute 'offset' must be from 0 to 65535, found 65536}}
  %x = ori.cbank[0, 65536] : !ori.r
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{offset 4 is not aligned to 8 bytes}}
  %x = ori.cbank[0, 4] : !ori.r64
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{expects a 32-bit or 64-bit register}}
  %x = ori.cbank[0, 4] : !ori.p
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{the parts must have the class of the result and add up to its width}}
  %x = ori.concat %r, %r : (!ori.r, !ori.r) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %u: !ori.ur) target "sm_90a" {
  // expected-error @+1 {{the parts must have the class of the result}}
  %x = ori.concat %r, %u : (!ori.r, !ori.ur) -> !ori.r64
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{the part must have the class of the operand and be contained in it}}
  %x = ori.extract %d[2] : (!ori.r64) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{the part must have the class of the operand and be contained in it}}
  %x = ori.extract %d[1] : (!ori.r64) -> !ori.r64
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{the part must have the class of the operand and be contained in it}}
  %x = ori.extract %d[-1] : (!ori.r64) -> !ori.r
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{symbol 'nowhere' is not an 'ori.memory' or 'ori.func'}}
  %x = ori.address_of @nowhere : !ori.r
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{expects a 64-bit result for 'f'}}
  %x = ori.address_of @f : !ori.r
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{result #0 must be register, but got 'i32'}}
  %x = ori.undef : i32
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{number of registers must be from 1 to 255}}
  %x = ori.undef : !ori.acc<0>
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{number of registers must be from 1 to 255}}
  %x = ori.undef : !ori.acc<256>
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{unknown}}
  %x = ori.undef : !ori.r512
  ori.ret
}
