// Verifier errors common to all machine operations: modifiers, guard, address, types.
//
// RUN: orison-opt --split-input-file --verify-diagnostics %s

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{custom op 'ori.iadd3' has no modifier 'fast'; a value is written 'key = fast'}}
  %x = ori.iadd3 <fast> %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{has duplicate modifier 'extended'}}
  %x = ori.iadd3 <extended, extended> %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{has no modifier 'offset'}}
  %x = ori.iadd3 <offset = 3> %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{a value is written 'key = f16'}}
  %x = ori.f2f <f16, from = f32> %r : (!ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expected one of 'u8', 's8'}}
  %x = ori.f2f <to = half, from = f32> %r : (!ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expected a modifier}}
  %x = ori.iadd3 <3> %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expected ',' or '>'}}
  %x = ori.iadd3 <extended %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{duplicate modifier}}
  %x = ori.iadd3 neg neg %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{operand 'a' cannot have modifier 'abs'}}
  %x = ori.iadd3 abs %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{operand #0 has mutually exclusive modifiers 'neg' and 'not'}}
  %x = ori.iadd3 neg not %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{has mutually exclusive modifiers 'h0_h0' and 'h1_h1'}}
  %x = ori.hadd2 <f16> h0_h0 h1_h1 %r, %r : (!ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expected ','}}
  %x = ori.iadd3 %r, %r : (!ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expected ':'}}
  %x = ori.iadd3 %r, %r, %r, %r : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %p: !ori.p) target "sm_90a" {
  // expected-error @+1 {{operand 'guard' cannot have modifier 'neg'}}
  %x = ori.iadd3 %r, %r, %r if neg %p : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{'otherwise' requires a guard}}
  %x = ori.iadd3 %r, %r, %r else %r : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %p: !ori.p) target "sm_90a" {
  // expected-error @+1 {{expects one 'otherwise' value per result (1), found 2}}
  %x = ori.iadd3 %r, %r, %r if %p else %r, %r : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %p: !ori.p, %d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{'otherwise' value #0 must have the type of its result}}
  %x = ori.iadd3 %r, %r, %r if %p else %d : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.r64) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %up: !ori.up) target "sm_90a" {
  // expected-error @+1 {{requires a per-thread predicate as guard}}
  %x = ori.iadd3 %r, %r, %r if %up : (!ori.r, !ori.r, !ori.r, !ori.up) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %p: !ori.p) target "sm_90a" {
  // expected-error @+1 {{requires a uniform predicate as guard}}
  %x = ori.r2ur %r if %p : (!ori.r, !ori.p) -> !ori.ur
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{must be predicate, optionally inverted, but got '!ori.r'}}
  %x = ori.iadd3 %r, %r, %r if %r : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{operand #1 must be 32-bit register, optionally negated, but got '!ori.r64'}}
  %x = ori.iadd3 %r, %d, %r : (!ori.r, !ori.r64, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{result #0 must be 32-bit register, but got '!ori.p'}}
  %x = ori.iadd3 %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> !ori.p
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{attribute 'offset' must be a signed 24-bit integer, found 8388608}}
  %x = ori.ldg <b32> [%d + 8388608] : (!ori.r64) -> !ori.r
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{expected an address}}
  %x = ori.ldg <b32> [] : !ori.r
  ori.ret
}

// -----

ori.func @f(%d: !ori.r64, %r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{operand #1 must be 32- or 64-bit uniform register}}
  %x = ori.ldg <b32> [%d + %r] : (!ori.r64, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{has a negative absolute address}}
  %x = ori.ldg <b32> [-4] : !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{Invalid attribute `modifiers` in property conversion}}
  %x = "ori.mov"(%r) <{modifiers = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0>}> : (!ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expects one entry of 'modifiers' per operand (1), found 2}}
  %x = "ori.mov"(%r) <{modifiers = #ori.modifiers<_, neg>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (!ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expected '_', 'neg', 'abs', 'not', 'h0_h0' or 'h1_h1'}}
  %x = "ori.mov"(%r) <{modifiers = #ori.modifiers<half>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (!ori.r) -> !ori.r
  ori.ret
}
