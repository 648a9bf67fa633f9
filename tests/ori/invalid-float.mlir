// Verifier errors of float operations and conversions.
//
// RUN: orison-opt --split-input-file --verify-diagnostics %s

ori.func @f(%r: !ori.r, %p: !ori.p) target "sm_90a" {
  // expected-error @+1 {{operand 'low' requires an integer comparison}}
  %x = ori.fsetp <lt, and> %r, %r low(%p) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'from' must be one of 'f16', 'bf16', but is 'f32'}}
  %x = ori.hadd2 <f32> %r, %r : (!ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'from' must be one of 'f16', 'bf16', but is 's8'}}
  %x = ori.hset2 <eq, s8, and> %r, %r : (!ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{operand 'a' cannot have modifier 'not'}}
  %x = ori.fadd not %r, %r : (!ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64, %r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{must be 64-bit register, optionally negated or absolute}}
  %x = ori.dadd %d, %r : (!ori.r64, !ori.r) -> !ori.r64
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{requires attribute 'function'}}
  %x = ori.mufu %r : (!ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{has no modifier 'sideways'}}
  %x = ori.fadd <sideways> %r, %r : (!ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{requires 'double' if and only if 'to' or 'from' is a 64-bit format}}
  %x = ori.i2f <to = f64, from = s32> %r : (!ori.r) -> !ori.r64
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{requires 'double' if and only if 'to' or 'from' is a 64-bit format}}
  %x = ori.i2f <to = f32, from = s32, double> %r : (!ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expects 'result' to have 64 bits, found 32}}
  %x = ori.i2f <to = f64, from = s32, double> %r : (!ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expects 'a' to have 64 bits, found 32}}
  %x = ori.f2i <to = s32, from = f64, double> %r : (!ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'to' must be one of}}
  %x = ori.f2i <to = f32, from = f32> %r : (!ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'to' must be one of 'f16', 'bf16', 'f32', 'f64', but is 's8'}}
  %x = ori.f2f <to = s8, from = f32> %r : (!ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{expects 'result' to have 64 bits, found 32}}
  %x = ori.frnd <f64, double> %d : (!ori.r64) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'to' must be one of}}
  %x = ori.f2fp <to = s8, from = f32> %r, %r : (!ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'from' must be one of 'u32', 's32', but is 'u8'}}
  %x = ori.i2fp <u8> %r : (!ori.r) -> !ori.r
  ori.ret
}
