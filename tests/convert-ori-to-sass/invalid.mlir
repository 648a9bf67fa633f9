// What allocation and legalization have to have done.
//
// RUN: orison-opt %s --convert-ori-to-sass --split-input-file --verify-diagnostics

ori.func @virtual(%a: !ori.r) target "sm_80" {
  // expected-error @+1 {{'ori.popc' op 'a' has no physical register}}
  %x = ori.popc %a : (!ori.r) -> !ori.r<R2>
  ori.ret
}

// -----

ori.func @absent(%a: !ori.r<R4>) target "sm_80" {
  // expected-error @+1 {{'ori.viadd' op does not exist on sm_80}}
  %x = ori.viadd %a, %a : (!ori.r<R4>, !ori.r<R4>) -> !ori.r<R2>
  ori.ret
}

// -----

ori.func @replaced(%a: !ori.r<R4>, %p: !ori.p<P0>) target "sm_90" {
  // expected-error @+1 {{'ori.imnmx' op does not exist on sm_90}}
  %x = ori.imnmx <s32> %a, %a, %p : (!ori.r<R4>, !ori.r<R4>, !ori.p<P0>) -> !ori.r<R2>
  ori.ret
}

// -----

ori.func @number(%a: !ori.r<R4>) target "sm_80" {
  %n = ori.imm 5 : !ori.r
  // expected-error @+1 {{'ori.iadd3' op 'c' cannot be a number}}
  %x = ori.iadd3 %a, %a, %n : (!ori.r<R4>, !ori.r<R4>, !ori.r) -> !ori.r<R2>
  ori.ret
}

// -----

ori.func @too_wide(%a: !ori.r64<R4>) target "sm_80" {
  %n = ori.imm 4591870180066957722 : !ori.r64
  // expected-error @+1 {{'ori.dadd' op 'b' is a number of too many bits}}
  %x = ori.dadd %a, %n : (!ori.r64<R4>, !ori.r64) -> !ori.r64<R2>
  ori.ret
}

// -----

ori.func @bank(%a: !ori.r<R4>) target "sm_80" {
  %n = ori.cbank[0, 352] : !ori.r
  // expected-error @+1 {{'ori.iadd3' op 'a' cannot be a value in a constant bank}}
  %x = ori.iadd3 %n, %a, %a : (!ori.r, !ori.r<R4>, !ori.r<R4>) -> !ori.r<R2>
  ori.ret
}

// -----

ori.func @parts(%a: !ori.r<R4>, %b: !ori.r<R6>) target "sm_80" {
  // expected-error @+1 {{'ori.concat' op the parts are not in the registers of the whole}}
  %x = ori.concat %a, %b : (!ori.r<R4>, !ori.r<R6>) -> !ori.r64<R4>
  ori.ret
}

// -----

ori.func @part(%a: !ori.r64<R4>) target "sm_80" {
  // expected-error @+1 {{'ori.extract' op the parts are not in the registers of the whole}}
  %x = ori.extract %a[1] : (!ori.r64<R4>) -> !ori.r<R4>
  ori.ret
}

// -----

// expected-error @+1 {{'ori.func' op instructions for 'sm_70' are not known: expected sm_75 or later}}
ori.func @volta() target "sm_70" {
  ori.ret
}

// -----

ori.func @alone() target "sm_80" {
  // expected-error @+1 {{'ori.bssy' op has no 'ori.bsync' that waits for its threads}}
  %b = ori.bssy : !ori.b<B0>
  ori.ret
}

// -----

ori.func @order(%p: !ori.p<P1>) target "sm_80" {
  %zero = ori.imm 0 : !ori.r
  // expected-error @+1 {{'ori.p2r' op requires predicate n in register Pn}}
  %x = ori.p2r <mask = 1> %zero predicates(%p) : (!ori.r, !ori.p<P1>) -> !ori.r<R2>
  ori.ret
}

// -----

ori.func @accumulator(%d: !ori.ur64<UR4>, %e: !ori.ur64<UR6>, %acc: !ori.acc<4, R24>) target "sm_90a" {
  // expected-error @+1 {{'ori.wgmma.mma' op requires the accumulator in the registers of the result}}
  %x = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %e accumulator(%acc) : (!ori.ur64<UR4>, !ori.ur64<UR6>, !ori.acc<4, R24>) -> !ori.acc<4, R28>
  ori.ret
}

// -----

ori.func @block(%d: !ori.ur64<UR4>, %a: !ori.ur<UR8>, %b: !ori.ur<UR10>) target "sm_90a" {
  // expected-error @+1 {{'ori.utmaldg' op requires its parts in consecutive uniform registers}}
  ori.utmaldg <dimensions = 1> %d, %a, %b coordinates(%b) : (!ori.ur64<UR4>, !ori.ur<UR8>, !ori.ur<UR10>, !ori.ur<UR10>) -> ()
  ori.ret
}

// -----

ori.func @index(%i: !ori.r<R4>) target "sm_80" {
  // expected-error @+1 {{'ori.brx' op requires the distance of the target in a register pair}}
  ori.brx %i, [^bb1] : !ori.r<R4>
^bb1:
  ori.ret
}

// -----

ori.func @unmodelled() target "sm_80" {
  // expected-error @+1 {{'ori.inst' op has no instruction}}
  ori.inst <mnemonic = "prefetchu">
  ori.ret
}

// -----

ori.func @descriptor(%a: !ori.r64<R4>) target "sm_90" {
  // expected-error @+1 {{'ori.ldg' op has no 'descriptor'}}
  %x = ori.ldg <b32> [%a] : (!ori.r64<R4>) -> !ori.r<R2>
  ori.ret
}
