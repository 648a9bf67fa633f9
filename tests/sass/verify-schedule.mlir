// RUN: orison-opt --split-input-file --verify-diagnostics --sass-verify-schedule %s
// RUN: not orison-opt --sass-verify-schedule=layout=bundle23 %s 2>&1 | FileCheck %s --check-prefix=BUNDLE
// RUN: not orison-opt --sass-verify-schedule=strict %s 2>&1 | FileCheck %s --check-prefix=STRICT

// Stall counts and barriers out of their range are errors of the attribute, where it is parsed.

sass.func @wait_mask target "sm_90a" {
  // STRICT: verify-schedule.mlir:[[# @LINE + 2]]:3: error: 'sass.nop' op wait-mask: waits for scoreboard 3, which was not armed
  // expected-warning @+1 {{wait-mask: waits for scoreboard 3, which was not armed}}
  sass.nop "NOP" <stall = 1, wait = [3]>
  sass.mufu "MUFU.RCP R0, R1" <stall = 2, wr = 3>
  sass.exit "EXIT" <stall = 5, wait = [3]>
}

// -----

sass.func @completeness target "sm_90a" {
  // expected-note @+1 {{this instruction is still in flight}}
  sass.mufu "MUFU.RCP R0, R1" <stall = 2>
  // expected-error @+1 {{completeness: reads R0, whose value is still in flight: no scoreboard covers it}}
  sass.fadd "FADD R2, R0, R0" <stall = 5>
  sass.exit "EXIT" <stall = 5>
}

// -----

// A slot of the page has no reuse bits. Words that break a rule of their own, of `yield`
// or of `reuse`, are refused by the dialect before any pass.

sass.func @layout target "sm_90a" {
  // BUNDLE: verify-schedule.mlir:[[# @LINE + 1]]:3: error: 'sass.fadd' op format:
  sass.fadd "FADD R2, R0.reuse, R1" <stall = 5, reuse = [a]>
  sass.exit "EXIT" <stall = 5>
}

// -----

sass.func @integrity target "sm_90a" {
  // expected-note @+1 {{this instruction is still in flight}}
  sass.iadd3 "IADD3 R0, R1, R2, RZ" <stall = 1>
  // expected-error @+1 {{integrity: reads R0 1 cycles after the instruction that computes it, which takes 5}}
  sass.ffma "FFMA R3, R0, R4, R5" <stall = 5>
  sass.exit "EXIT" <stall = 5>
}
