// RUN: orison-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected a register, 'R0' and so on}}
ori.func @file(%a: !ori.r<UR4>) target "sm_90"

// -----

// expected-error@+1 {{expected a register, 'P0' and so on}}
ori.func @number(%a: !ori.p<3>) target "sm_90"

// -----

// expected-error@+1 {{expected '>'}}
ori.func @end(%a: !ori.r<R4, R5>) target "sm_90"

// -----

// expected-error@+1 {{R3 is not a multiple of 2}}
ori.func @pair(%a: !ori.r64<R3>) target "sm_90"

// -----

// expected-error@+1 {{R6 is not a multiple of 4}}
ori.func @four(%a: !ori.r128<R6>) target "sm_90"

// -----

// expected-error@+1 {{P7 is not a register}}
ori.func @true(%a: !ori.p<P7>) target "sm_90"

// -----

// expected-error@+1 {{R255 is not a register}}
ori.func @accumulator(%a: !ori.acc<16, R240>) target "sm_90"

// -----

// expected-error@+1 {{expected a register, 'R0' and so on}}
ori.func @large(%a: !ori.r<R300>) target "sm_90"
