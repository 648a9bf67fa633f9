// RUN: orison-opt %s --ori-verify-allocation | FileCheck %s

// Registers hold what is read on both ways to the last block; a register may be used again where its value is
// dead.
// CHECK-LABEL: @right
ori.func kernel @right() target "sm_90" {
  %q = ori.cbank[0, 528] : !ori.r64
  %z = ori.imm 0 : !ori.r
  %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r<R0>
  %p = ori.isetp <lt, s32, and> %a, %z : (!ori.r<R0>, !ori.r) -> !ori.p<P0>
  ori.cond_bra %p, ^one, ^two : !ori.p<P0>
^one:
  %b = ori.fadd %a, %a : (!ori.r<R0>, !ori.r<R0>) -> !ori.r<R2>
  ori.bra ^both(%b : !ori.r<R2>)
^two:
  %c = ori.fmul %a, %a : (!ori.r<R0>, !ori.r<R0>) -> !ori.r<R2>
  ori.bra ^both(%c : !ori.r<R2>)
^both(%d: !ori.r<R2>):
  %e = ori.fadd %a, %d : (!ori.r<R0>, !ori.r<R2>) -> !ori.r<R3>
  %w = ori.concat %d, %e : (!ori.r<R2>, !ori.r<R3>) -> !ori.r64<R2>
  ori.stg <b64> [%q], %w : (!ori.r64, !ori.r64<R2>) -> ()
  ori.exit
}
