// The slow paths of expansions are separate functions, each emitted once per module.
//
// RUN: orison-translate --ptx-to-ori --counts %s 2>&1 | FileCheck %s
// RUN: orison-translate --ptx-to-ori %s | FileCheck %s --check-prefix=ONCE
// CHECK: instructions, 0 as 'ori.inst'
.version 8.8
.target sm_90a
.address_size 64

// Three quotients, two of them on a divergent path, and a reciprocal: the same function computes
// the slow path of all of them.
// CHECK-LABEL: @quotients(
// CHECK: ori.call @orison.div.rn.f64(%
// CHECK: ori.call @orison.div.rn.f64(%
// CHECK: ori.call @orison.div.rn.f64(%
// CHECK: %[[ONE:.*]] = ori.imm 4607182418800017408 : !ori.r64
// CHECK: ori.call @orison.div.rn.f64(%[[ONE]], %
.entry quotients(.param .f64 a, .param .f64 b, .param .u64 q) {
  .reg .f64 %a, %b, %x; .reg .b64 %q; .reg .b32 %t; .reg .pred %p;
  ld.param.f64 %a, [a]; ld.param.f64 %b, [b]; ld.param.u64 %q, [q];
  div.rn.f64 %x, %a, %b;
  mov.u32 %t, %tid.x;
  setp.gt.u32 %p, %t, 7;
  @%p bra DONE;
  div.rn.f64 %x, %x, %b;
  div.rn.f64 %x, %x, %b;
DONE:
  rcp.rn.f64 %x, %x;
  st.global.f64 [%q], %x;
  ret;
}

// Directed rounding is a call without a branch.
// CHECK-LABEL: @directed(
// CHECK-NOT: ori.cond_bra
// CHECK: ori.call @orison.div.rz.f32(%
// CHECK: ori.call @orison.sqrt.rp.f32(%
// CHECK: ori.exit
.entry directed(.param .f32 a, .param .f32 b, .param .u64 q) {
  .reg .f32 %a, %b, %x; .reg .b64 %q;
  ld.param.f32 %a, [a]; ld.param.f32 %b, [b]; ld.param.u64 %q, [q];
  div.rz.f32 %x, %a, %b;
  sqrt.rp.f32 %x, %x;
  st.global.f32 [%q], %x;
  ret;
}

// CHECK-LABEL: @integers(
// CHECK: ori.call @orison.rem.u64(%
// CHECK: ori.call @orison.div.s64(%
.entry integers(.param .u64 a, .param .u64 b, .param .u64 q) {
  .reg .b64 %a, %b, %x, %q;
  ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; ld.param.u64 %q, [q];
  rem.u64 %x, %a, %b;
  div.s64 %x, %x, %b;
  st.global.u64 [%q], %x;
  ret;
}

// They follow the functions of the PTX, in a fixed order.
// ONCE-COUNT-1: ori.func private @orison.div.rz.f32(
// ONCE-COUNT-1: ori.func private @orison.div.rn.f64(
// ONCE-COUNT-1: ori.func private @orison.sqrt.rp.f32(
// ONCE-COUNT-1: ori.func private @orison.rem.u64(
// ONCE-COUNT-1: ori.func private @orison.div.s64(
// ONCE-NOT: ori.func
