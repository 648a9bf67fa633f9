// RUN: orison-opt --split-input-file --verify-diagnostics --sass-simulate --sass-verify-schedule %s

// A stall of zero that does not yield pairs an instruction with the next: these two may.

sass.func @pair target "sm_52" {
  sass.fadd "FADD R0, R1, R2" <stall = 0>
  sass.lds "LDS R3, [R4]" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

// Two sums have the same unit.

sass.func @same_unit target "sm_52" {
  // expected-note @+1 {{this instruction}}
  sass.fadd "FADD R0, R1, R2" <stall = 0>
  // expected-error @+1 {{cannot issue in the same cycle as the instruction before, whose stall is 0}}
  sass.fadd "FADD R3, R1, R2" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

// The store reads what the sum writes, and would in the same cycle.

sass.func @dependent target "sm_52" {
  // expected-note @+1 {{this instruction is still in flight}}
  sass.fadd "FADD R0, R1, R2" <stall = 0>
  // expected-error @+1 {{reads R0 0 cycles after the instruction that computes it, which takes 4}}
  sass.sts "STS [R4], R0" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

// With the flag a stall of zero waits for what is in flight, as on later machines.

sass.func @stop target "sm_52" {
  sass.fadd "FADD R0, R1, R2" <stall = 0, yield>
  sass.fadd "FADD R3, R0, R2" <stall = 1>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @later target "sm_70" {
  // expected-error @+1 {{a stall of 0 cycles requires 'yield': without it the minimum is 1}}
  sass.fadd "FADD R0, R1, R2" <stall = 0>
  sass.exit "EXIT" <stall = 5>
}
