// RUN: orison-opt --split-input-file --verify-diagnostics --sass-simulate %s

// A fixed result is read one cycle before it is there.

sass.func @read_too_early target "sm_90a" {
  // expected-note @+1 {{this instruction is still in flight}}
  sass.iadd3 "IADD3 R0, R1, R2, RZ" <stall = 3>
  // expected-error @+1 {{'sass.lop3' op reads R0 3 cycles after the instruction that computes it, which takes 4}}
  sass.lop3 "LOP3.LUT R3, R0, R4, RZ, 0xc0, !PT" <stall = 5>
  sass.exit "EXIT" <stall = 5>
}

// -----

// A predicate is available as an operand after 4 cycles, as a guard after 13.

sass.func @guard_too_early target "sm_80" {
  // expected-note @+1 {{this instruction is still in flight}}
  sass.isetp "ISETP.NE.AND P0, PT, R0, RZ, PT" <stall = 8>
  sass.sel "SEL R1, R2, R3, P0" <stall = 4>
  // expected-error @+1 {{reads P0 12 cycles after the instruction that computes it, which takes 13}}
  sass.mov "@P0 MOV R4, R5" <stall = 5>
  sass.exit "EXIT" <stall = 5>
}

// -----

// No wait for the load's scoreboard before its result is read and its address overwritten.

sass.func @without_wait target "sm_90a" {
  // expected-note @+1 {{this instruction is still in flight}}
  sass.ldg "LDG.E R0, desc[UR4][R2.64]" <stall = 2, wr = 2, rd = 1>
  // expected-error @+1 {{reads R0, whose value is still in flight: nothing waits for scoreboard 2}}
  sass.fadd "FADD R4, R0, R0" <stall = 5>
  // expected-error @+1 {{writes R2, which may not have been read yet: nothing waits for scoreboard 1 or 2}}
  sass.mov "MOV R2, RZ" <stall = 5>
  sass.exit "EXIT" <stall = 5>
}

// -----

// A result in flight overwrites the later one. An instruction without a scoreboard is reported as such.

sass.func @overwritten target "sm_90a" {
  // expected-note @+1 {{this instruction is still in flight}}
  sass.mufu "MUFU.RCP R0, R1" <stall = 15, yield>
  // expected-error @+1 {{writes R0, for which another value is still in flight: no scoreboard covers it}}
  sass.mov "MOV R0, RZ" <stall = 5>
  sass.exit "EXIT" <stall = 5>
}

// -----

// The scoreboard is not armed yet at the wait.

sass.func @wait_before_armed target "sm_90a" {
  // expected-note @+1 {{this instruction is still in flight}}
  sass.mufu "MUFU.RCP R0, R1" <stall = 1, wr = 0>
  // expected-error @+1 {{waits for a scoreboard 1 cycles after it was armed, which takes 2 cycles to take effect}}
  sass.fadd "FADD R2, R0, R0" <stall = 5, wait = [0]>
  sass.exit "EXIT" <stall = 5>
}

// -----

// The second of two groups of products may still be in flight.

sass.func @product target "sm_90a" {
  sass.warpgroup "WARPGROUP.ARRIVE" <stall = 2>
  sass.hgmma "HGMMA.64x8x16.F32 R24, gdesc[UR4], RZ, !UPT, gsb0" <stall = 2>
  // expected-note @+1 {{this instruction is still in flight}}
  sass.hgmma "HGMMA.64x8x16.F32 R32, gdesc[UR8], RZ, !UPT, gsb0" <stall = 2>
  sass.warpgroup "WARPGROUP.DEPBAR.LE gsb0, 0x1" <stall = 2>
  sass.fadd "FADD R0, R24, R25" <stall = 5>
  // expected-error @+1 {{uses R32 of a product in flight: no WARPGROUP.DEPBAR has waited for its group}}
  sass.fadd "FADD R0, R32, R25" <stall = 5>
  sass.exit "EXIT" <stall = 5>
}

// -----

// The path through the branch does not wait, and the next iteration of the loop is too early.

sass.func @ways target "sm_90a" {
  // expected-note @+1 {{this instruction is still in flight}}
  sass.ldg "LDG.E R0, desc[UR4][R2.64]" <stall = 2, wr = 0>
  sass.mov "MOV R7, RZ" <stall = 15, yield>
  sass.bra "@P0 BRA `(.L_x_1)" <stall = 5> [^bb2, ^bb1]
^bb1:
  sass.fadd "FADD R1, R0, R0" <stall = 15, yield, wait = [0]>
  sass.fall_through ^bb2
^bb2:
  sass.notes [".L_x_1:"]
  // expected-error @+3 {{reads R0, whose value is still in flight: nothing waits for scoreboard 0}}
  // expected-note @+2 {{this instruction is still in flight}}
  // expected-error @+1 {{reads R7 3 cycles after the instruction that computes it, which takes 4}}
  sass.ffma "FFMA R7, R7, R0, R1" <stall = 2>
  sass.bra "@P1 BRA `(.L_x_1)" <stall = 1> [^bb2, ^bb3]
^bb3:
  sass.exit "EXIT" <stall = 5>
}

// -----

// expected-error @+1 {{no latency model for 'sm_60'; did you mean 'sm_50'? known are sm_50, sm_52, sm_70, sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_100, sm_103, sm_107, sm_110, sm_120, sm_121}}
sass.func @unknown target "sm_60" {
  sass.exit "EXIT" <stall = 5>
}

// -----

// expected-error @+1 {{'sass.frequencies' must be an array of 1 non-negative integers, one per block}}
sass.func @frequencies target "sm_90" attributes {sass.frequencies = array<i64: 1, 2>} {
  sass.exit "EXIT" <stall = 5>
}

// -----

// No thread executes both: the guards are complementary, or a comparison combined with the negation of the first.

sass.func @exclusive target "sm_90a" {
  sass.ldg "@P3 LDG.E R0, desc[UR4][R2.64]" <stall = 2, wr = 0, rd = 1>
  sass.isetp "ISETP.GE.AND P1, PT, R6, R7, !P3" <stall = 13, yield>
  sass.mov "@!P3 MOV R0, R1" <stall = 1>
  sass.mov "@P1 MOV R2, R1" <stall = 5>
  sass.exit "EXIT" <stall = 5, wait = [0]>
}

// -----

// The predicate has another value at the second guard.

sass.func @not_exclusive target "sm_90a" {
  // expected-note @+1 {{this instruction is still in flight}}
  sass.ldg "@P3 LDG.E R0, desc[UR4][R2.64]" <stall = 2, wr = 0, rd = 1>
  sass.isetp "ISETP.GE.AND P3, PT, R6, R7, PT" <stall = 13, yield>
  // expected-error @+1 {{writes R0, for which another value is still in flight: nothing waits for scoreboard 0}}
  sass.mov "@!P3 MOV R0, R1" <stall = 5>
  sass.exit "EXIT" <stall = 5, wait = [0]>
}
