// RUN: orison-opt %s --split-input-file --verify-diagnostics --ori-verify-allocation

ori.func kernel @overwritten() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r<R0>
  // expected-note@+1 {{R0 has this value}}
  %b = ori.ldg <b32> [%q + 4] : (!ori.r64) -> !ori.r<R0>
  // expected-error@+1 {{operand #0 is not in R0}}
  %c = ori.fadd %a, %b : (!ori.r<R0>, !ori.r<R0>) -> !ori.r<R2>
  ori.stg <b32> [%q], %c : (!ori.r64, !ori.r<R2>) -> ()
  ori.exit
}

// -----

// On one of two ways another value is there.
ori.func kernel @path() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %z = ori.imm 0 : !ori.r
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r<R0>
  %p = ori.isetp <lt, s32, and> %a, %z : (!ori.r<R0>, !ori.r) -> !ori.p<P0>
  ori.cond_bra %p, ^one, ^two : !ori.p<P0>
^one:
  %b = ori.fadd %a, %a : (!ori.r<R0>, !ori.r<R0>) -> !ori.r<R0>
  ori.stg <b32> [%q + 4], %b : (!ori.r64, !ori.r<R0>) -> ()
  ori.bra ^two
^two:
  // expected-error@+2 {{operand #1 is not in R0}}
  // expected-note@+1 {{what is in R0 depends on the path}}
  ori.stg <b32> [%q], %a : (!ori.r64, !ori.r<R0>) -> ()
  ori.exit
}

// -----

ori.func kernel @absent() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r
  // expected-error@+1 {{operand #1 has no register}}
  ori.stg <b32> [%q], %a : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// -----

// The parts of a pair are not where the pair is.
ori.func kernel @parts() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r<R2>
  // expected-note@+1 {{R4 has this value}}
  %b = ori.ldg <b32> [%q + 4] : (!ori.r64) -> !ori.r<R4>
  %w = ori.concat %a, %b : (!ori.r<R2>, !ori.r<R4>) -> !ori.r64<R4>
  // expected-error@+1 {{operand #1 is not in R4}}
  ori.stg <b64> [%q], %w : (!ori.r64, !ori.r64<R4>) -> ()
  ori.exit
}

// -----

ori.func kernel @two_results() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r<R0>
  %z = ori.imm 0 : !ori.r
  // expected-error@+1 {{two results are in P0}}
  %p, %s = ori.isetp <lt, s32, and> %a, %z : (!ori.r<R0>, !ori.r) -> (!ori.p<P0>, !ori.p<P0>)
  ori.exit
}

// -----

ori.func kernel @edge() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r<R0>
  // expected-error@+1 {{the type of argument #0 does not match the target block}}
  ori.bra ^next(%a : !ori.r<R0>)
^next(%b: !ori.r<R2>):
  ori.stg <b32> [%q], %b : (!ori.r64, !ori.r<R2>) -> ()
  ori.exit
}

// -----

// A function that is not known keeps R2 and R16 to R31 only.
ori.func private @unknown() target "sm_90"
ori.func kernel @across_unknown() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r<R5>
  %b = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r<R16>
  ori.call @unknown() : () -> ()
  ori.stg <b32> [%q], %b : (!ori.r64, !ori.r<R16>) -> ()
  // expected-error@+2 {{operand #1 is not in R5}}
  // expected-note@+1 {{what is in R5 depends on the path}}
  ori.stg <b32> [%q], %a : (!ori.r64, !ori.r<R5>) -> ()
  ori.exit
}

// -----

// What a known function, and one that it calls, change is in their types; R2 and R3 have the return address.
ori.func private @leaf() target "sm_90" {
  %a = ori.s2r <register = "SR_TID.X"> : !ori.r<R7>
  ori.ret
}
ori.func private @between() target "sm_90" {
  ori.call @leaf() : () -> ()
  ori.ret
}
ori.func kernel @across_known() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r<R6>
  %b = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r<R7>
  ori.call @between() : () -> ()
  ori.stg <b32> [%q], %a : (!ori.r64, !ori.r<R6>) -> ()
  // expected-error@+2 {{operand #1 is not in R7}}
  // expected-note@+1 {{what is in R7 depends on the path}}
  ori.stg <b32> [%q], %b : (!ori.r64, !ori.r<R7>) -> ()
  ori.exit
}

// -----

// A warp that takes the first way before the second has changed the uniform register.
ori.func kernel @parted() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %z = ori.imm 0 : !ori.r
  %a = ori.s2r <register = "SR_TID.X"> : !ori.r<R0>
  %p = ori.isetp <lt, s32, and> %a, %z : (!ori.r<R0>, !ori.r) -> !ori.p<P0>
  %u = ori.uldc <b32, bank = 0> [520] : !ori.ur<UR4>
  %b = ori.bssy : !ori.b<B0>
  ori.cond_bra %p, ^one, ^two : !ori.p<P0>
^one:
  %v = ori.uldc <b32, bank = 0> [524] : !ori.ur<UR4>
  %c = ori.iadd3 %a, %v, %z : (!ori.r<R0>, !ori.ur<UR4>, !ori.r) -> !ori.r<R2>
  ori.bra ^both(%c : !ori.r<R2>)
^two:
  // expected-error@+2 {{operand #1 is not in UR4}}
  // expected-note@+1 {{what is in UR4 depends on the path}}
  %d = ori.iadd3 %a, %u, %z : (!ori.r<R0>, !ori.ur<UR4>, !ori.r) -> !ori.r<R2>
  ori.bra ^both(%d : !ori.r<R2>)
^both(%e: !ori.r<R2>):
  ori.bsync %b : (!ori.b<B0>) -> ()
  ori.stg <b32> [%q], %e : (!ori.r64, !ori.r<R2>) -> ()
  ori.exit
}

// -----

// As above, where the ways do not meet.
ori.func kernel @never_met() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %z = ori.imm 0 : !ori.r
  %a = ori.s2r <register = "SR_TID.X"> : !ori.r<R0>
  %p = ori.isetp <lt, s32, and> %a, %z : (!ori.r<R0>, !ori.r) -> !ori.p<P0>
  %u = ori.uldc <b32, bank = 0> [520] : !ori.ur<UR4>
  ori.cond_bra %p, ^one, ^two : !ori.p<P0>
^one:
  %v = ori.uldc <b32, bank = 0> [524] : !ori.ur<UR4>
  %c = ori.iadd3 %a, %v, %z : (!ori.r<R0>, !ori.ur<UR4>, !ori.r) -> !ori.r<R2>
  ori.stg <b32> [%q + 4], %c : (!ori.r64, !ori.r<R2>) -> ()
  ori.exit
^two:
  // expected-error@+2 {{operand #1 is not in UR4}}
  // expected-note@+1 {{what is in UR4 depends on the path}}
  %d = ori.iadd3 %a, %u, %z : (!ori.r<R0>, !ori.ur<UR4>, !ori.r) -> !ori.r<R2>
  ori.stg <b32> [%q], %d : (!ori.r64, !ori.r<R2>) -> ()
  ori.exit
}
