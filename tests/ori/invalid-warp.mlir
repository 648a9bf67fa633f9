// Verifier errors of warp, texture and synchronization operations.
//
// RUN: orison-opt --split-input-file --verify-diagnostics %s

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expects at most one 'valid', found 2}}
  %x:3 = ori.shfl <bfly> %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p, !ori.p)
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{has no modifier 'sideways'}}
  %x = ori.shfl <sideways> %r, %r, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'signedness' must be 's32' or 'u32'}}
  %x = ori.redux <sum, s64> %r : (!ori.r) -> !ori.ur
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'reduction' must be 'min' or 'max'}}
  %x = ori.credux <sum, f32> %r : (!ori.r) -> !ori.ur
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'from' must be one of 'f32', 's32', 'u32', but is 'f16'}}
  %x = ori.credux <max, f16> %r : (!ori.r) -> !ori.ur
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{must be predicate, optionally inverted}}
  %x = ori.vote <any> %r : (!ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{expects at most one 'lane', found 2}}
  %x:3 = ori.elect : !ori.p, !ori.ur, !ori.ur
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{requires either 'handle' or 'bound'}}
  %x = ori.tex <tex2d, mask = 15> coordinates(%r) : (!ori.r) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%r: !ori.r, %d: !ori.r64) target "sm_90a" {
  // expected-error @+1 {{requires either 'handle' or 'bound'}}
  %x = ori.tex <tex2d, mask = 15, bound = 1> coordinates(%r) handle(%d) : (!ori.r, !ori.r64) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{attribute 'mask' must be from 1 to 15, found 16}}
  %x = ori.tex <tex2d, mask = 16, bound = 1> coordinates(%r) : (!ori.r) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expects 'value' to have 64 bits, found 128}}
  %x = ori.tld <tex2d, mask = 3, bound = 1> coordinates(%r) : (!ori.r) -> !ori.r128
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{expects 'value' to have 64 bits, found 32}}
  %x = ori.suld <tex2d, b64, bound = 1> coordinates(%r) : (!ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{operation 'and' is not defined for 'f32'}}
  %x = ori.suatom <tex1d, and, f32, bound = 1> %r coordinates(%r) : (!ori.r, !ori.r) -> !ori.r
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{requires either operand 'barrier' or attribute 'index'}}
  ori.bar <sync>
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{attribute 'index' must be from 0 to 15, found 16}}
  ori.bar <sync, index = 16>
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{requires 'predicate', 'barrier_reduction' and one result if and only if the mode is 'reduce'}}
  ori.bar <reduce, index = 1>
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{requires 'predicate', 'barrier_reduction' and one result if and only if the mode is 'reduce'}}
  %x = ori.bar <sync, index = 1> : !ori.r
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{attribute 'scope' cannot be 'vc'}}
  ori.membar <sc, vc>
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{attribute 'count' must be a multiple of 8, but is 30}}
  ori.setmaxreg <inc, count = 30>
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{attribute 'count' must be from 24 to 256, found 16}}
  ori.setmaxreg <inc, count = 16>
  ori.ret
}

// -----

ori.func @f(%r: !ori.r) target "sm_90a" {
  // expected-error @+1 {{must be convergence barrier, but got '!ori.r'}}
  ori.bsync %r : (!ori.r) -> ()
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{requires a mnemonic}}
  ori.inst <mnemonic = "">
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{attribute 'reads' has no memory space 'disk'}}
  ori.inst <mnemonic = "A", reads = ["disk"]>
  ori.ret
}

// -----

ori.func @f() target "sm_90a" {
  // expected-error @+1 {{requires attribute 'mnemonic'}}
  ori.inst <convergent>
  ori.ret
}
