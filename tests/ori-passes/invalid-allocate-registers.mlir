// RUN: orison-opt %s --split-input-file --verify-diagnostics --ori-allocate-registers=max-registers=4

// Of four registers one is the stack pointer: four consecutive ones are not left, whatever is spilled.
ori.func kernel @product() target "sm_80" {
  %q = ori.cbank[0, 352] : !ori.r64
  // expected-error@+1 {{register allocation failed: 10 registers of file 'R' are live at once}}
  %a = ori.ldg <b128> [%q] : (!ori.r64) -> !ori.r128
  %b = ori.ldg <b64> [%q + 16] : (!ori.r64) -> !ori.r64
  %c = ori.ldg <b128> [%q + 32] : (!ori.r64) -> !ori.r128
  %d = ori.hmma <m16n8k16, from = f16, accumulator = f32> %a, %b, %c : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  ori.stg <b128> [%q], %d : (!ori.r64, !ori.r128) -> ()
  ori.exit
}
