// Errors in the assembly of operations, modifiers and types.
//
// RUN: orison-opt --split-input-file --verify-diagnostics %s

ori.func @address(%a: !ori.r64) target "sm_80" {
  // expected-error @+1 {{expected '+' or ']'}}
  %x = ori.ldg [%a * 4] : (!ori.r64) -> !ori.r
  ori.exit
}

// -----

ori.func @no_address(%a: !ori.r64) target "sm_80" {
  // expected-error @+1 {{expected an address}}
  %x = ori.ldg [] : (!ori.r64) -> !ori.r
  ori.exit
}

// -----

ori.func @twice(%a: !ori.r) target "sm_80" {
  // expected-error @+1 {{duplicate modifier}}
  %x = ori.fadd neg neg %a, %a : (!ori.r, !ori.r) -> !ori.r
  ori.exit
}

// -----

ori.func @modifiers(%a: !ori.r) target "sm_80" {
  // expected-error @+1 {{expected '<' and modifiers}}
  %x = "ori.fadd"(%a, %a) <{modifiers = #ori.modifiers, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (!ori.r, !ori.r) -> !ori.r
  ori.exit
}

// -----

ori.func @unknown_modifier(%a: !ori.r) target "sm_80" {
  // expected-error @+1 {{expected '_', 'neg', 'abs', 'not', 'h0_h0' or 'h1_h1'}}
  %x = "ori.fadd"(%a, %a) <{modifiers = #ori.modifiers<minus, _>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (!ori.r, !ori.r) -> !ori.r
  ori.exit
}

// -----

// expected-error @+1 {{expected '<' and a number of registers}}
ori.func @accumulator(%a: !ori.acc) target "sm_80" {
  ori.exit
}

// -----

// expected-error @+1 {{expected a number of registers}}
ori.func @accumulator(%a: !ori.acc<many>) target "sm_80" {
  ori.exit
}

// -----

// expected-error @+1 {{expected '>'}}
ori.func @accumulator(%a: !ori.acc<4) target "sm_80" {
  ori.exit
}
