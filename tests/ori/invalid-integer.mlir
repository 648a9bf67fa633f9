// Verifier errors of integer operations.
//
// RUN: orison-opt --split-input-file --verify-diagnostics %s

ori.func @f(%r: !ori.r, %p: !ori.p) target "sm_90a" {
  // expected-error @+1 {{carry operands require 'extended'}}
  %x = ori.iadd3 %r, %r, %r carry(%p) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %p: !ori.p) target "sm_90a" {
  // expected-error @+1 {{has more than two carry operands}}
  %x = ori.iadd3 <extended> %r, %r, %r carry(%p, %p, %p) : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.p, !ori.p) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{has more than two carry operands}}
  %x:4 = ori.iadd3 %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p, !ori.p, !ori.p)
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'signedness' must be 's32' or 'u32'}}
  %x = ori.imad <s64> %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{requires attribute 'signedness'}}
  %x = ori.imad_wide %r, %r, %d : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'lut' must be from 0 to 255, found 256}}
  %x = ori.lop3 <lut = 256> %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%p: !ori.p) target "sm_90a" {
  // expected-error @+1 {{attribute 'second_lut' must be from 0 to 255, found -1}}
  %x = ori.plop3 <lut = 3, second_lut = -1> %p, %p, %p : (!ori.p, !ori.p, !ori.p) -> !ori.p
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'shift' must be from 0 to 31, found 32}}
  %x = ori.lea <shift = 32> %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{'sign_extended' requires 'high'}}
  %x = ori.lea <shift = 3, sign_extended> %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'from' must be one of 'u8', 's8', but is 's16'}}
  %x = ori.vabsdiff4 <s16> %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'left_format' must be one of 'u8', 's8'}}
  %x = ori.idp <left_format = u16, right_format = u8> %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{'high' requires 'halves'}}
  %x = ori.idp <left_format = u8, right_format = u8, high> %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'to' must be one of 'u8', 's8', 'u16', 's16', 'u32', 's32', but is 'f32'}}
  %x = ori.i2i <to = f32, from = u8> %r : (!ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %p: !ori.p) target "sm_90a" {
  // expected-error @+1 {{operand 'low' requires 'extended'}}
  %x = ori.isetp <lt, s32, and> %r, %r low(%p) : (!ori.r, !ori.r, !ori.p) -> !ori.p
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{'extended' requires operand 'low'}}
  %x = ori.isetp <lt, s32, extended, and> %r, %r : (!ori.r, !ori.r) -> !ori.p
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{has more than one result for the opposite outcome}}
  %x:3 = ori.isetp <lt, s32, and> %r, %r : (!ori.r, !ori.r) -> (!ori.p, !ori.p, !ori.p)
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'signedness' must be 's32' or 'u32'}}
  %x = ori.isetp <lt, s64, and> %r, %r : (!ori.r, !ori.r) -> !ori.p
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %p: !ori.p) target "sm_90a" {
  // expected-error @+1 {{'mask' has 2 bits, but there are 1 predicates}}
  %x = ori.p2r <mask = 3> %r predicates(%p) : (!ori.r, !ori.p) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'mask' must be from 0 to 127, found 128}}
  %x = ori.r2p <mask = 128> %r : (!ori.r) -> !ori.p
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'compare' failed to satisfy constraint: one of 'f' 'lt'}}
  %x = "ori.isetp"(%r, %r) <{compare = "ltu", signedness = #ori.signedness<s32>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (!ori.r, !ori.r) -> !ori.p
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'signedness' failed to satisfy constraint: one of 's32' 'u32'}}
  %x = "ori.isetp"(%r, %r) <{compare = #ori.compare<ge>, signedness = #ori.format<s32>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (!ori.r, !ori.r) -> !ori.p
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expected one of 'f' 'lt' 'eq'}}
  %x = "ori.isetp"(%r, %r) <{compare = #ori.compare<ltu>}> : (!ori.r, !ori.r) -> !ori.p
  ori.ret
}
