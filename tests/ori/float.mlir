// Float operations of 16, 32 and 64 bits: signs, rounding, halves.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

ori.func @float(%r: !ori.r, %s: !ori.r, %d: !ori.r64, %e: !ori.r64, %q: !ori.r128, %u: !ori.ur, %v: !ori.ur64, %p: !ori.p, %o: !ori.p, %up: !ori.up, %b: !ori.b, %acc: !ori.acc<32>, %wide: !ori.acc<8>) target "sm_90a" {
  // CHECK: = ori.fadd %{{[a-z0-9]+}}, neg abs %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x0 = ori.fadd %r, neg abs %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.fadd <rz, ftz, saturate> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x1 = ori.fadd <rz, ftz, saturate> %r, %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.fmul <rm> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x2 = ori.fmul <rm> %r, %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.ffma %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, neg %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.ur) -> !ori.r
  %x3 = ori.ffma %r, %s, neg %u : (!ori.r, !ori.r, !ori.ur) -> !ori.r
  // CHECK: = ori.fhadd neg h1_h1 %{{[a-z0-9]+}}, abs %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x4a = ori.fhadd neg h1_h1 %r, abs %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.fhfma h0_h0 %{{[a-z0-9]+}}, h1_h1 %{{[a-z0-9]+}}, neg %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x4 = ori.fhfma h0_h0 %r, h1_h1 %s, neg %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.fadd2 %{{[a-z0-9]+}}, neg %{{[a-z0-9]+}} : (!ori.r64, !ori.r64) -> !ori.r64
  %x5 = ori.fadd2 %d, neg %e : (!ori.r64, !ori.r64) -> !ori.r64
  // CHECK: = ori.fmul2 <rp, ftz> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r64, !ori.r64) -> !ori.r64
  %x6 = ori.fmul2 <rp, ftz> %d, %e : (!ori.r64, !ori.r64) -> !ori.r64
  // CHECK: = ori.ffma2 %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r64, !ori.r64, !ori.r64) -> !ori.r64
  %x7 = ori.ffma2 %d, %e, %e : (!ori.r64, !ori.r64, !ori.r64) -> !ori.r64
  // CHECK: = ori.fmnmx %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, not %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %x8 = ori.fmnmx %r, %s, not %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  // CHECK: = ori.fmnmx <ftz, nan_wins> %{{[a-z0-9]+}}, abs %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %x9 = ori.fmnmx <ftz, nan_wins> %r, abs %s, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  // CHECK: = ori.fmnmx3 <max> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x10 = ori.fmnmx3 <max> %r, %s, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.fsel %{{[a-z0-9]+}}, neg %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %x11 = ori.fsel %r, neg %s, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  // CHECK: = ori.fsetp <geu, and> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.p
  %x12 = ori.fsetp <geu, and> %r, %s : (!ori.r, !ori.r) -> !ori.p
  // CHECK: = ori.fsetp <lt, ftz, xor> abs %{{[a-z0-9]+}}, %{{[a-z0-9]+}} with(%{{[a-z0-9]+}}) : (!ori.r, !ori.r, !ori.p) -> (!ori.p, !ori.p)
  %x13:2 = ori.fsetp <lt, ftz, xor> abs %r, %s with(%p) : (!ori.r, !ori.r, !ori.p) -> (!ori.p, !ori.p)
  // CHECK: = ori.fset <gt, float_result, and> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x14 = ori.fset <gt, float_result, and> %r, %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.mufu <ex2> neg %{{[a-z0-9]+}} : (!ori.r) -> !ori.r
  %x15 = ori.mufu <ex2> neg %r : (!ori.r) -> !ori.r
  // CHECK: = ori.mufu <rcp64h> %{{[a-z0-9]+}} : (!ori.r) -> !ori.r
  %x16 = ori.mufu <rcp64h> %r : (!ori.r) -> !ori.r
  // CHECK: = ori.fchk %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.p
  %x17 = ori.fchk %r, %s : (!ori.r, !ori.r) -> !ori.p
  // CHECK: = ori.fswzadd <adds = true> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x18 = ori.fswzadd <adds = true> %r, %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.hadd2 <f16> %{{[a-z0-9]+}}, neg h1_h1 %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x19 = ori.hadd2 <f16> %r, neg h1_h1 %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.hadd2 <bf16, ftz> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x20 = ori.hadd2 <bf16, ftz> %r, %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.hadd2_f32 <f16> h0_h0 %{{[a-z0-9]+}}, h1_h1 %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x21 = ori.hadd2_f32 <f16> h0_h0 %r, h1_h1 %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.hmul2 <f16, saturate> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x22 = ori.hmul2 <f16, saturate> %r, %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.hfma2 <bf16, relu> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, abs %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x23 = ori.hfma2 <bf16, relu> %r, %s, abs %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.hfma2_mma <f16, ftz> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x24 = ori.hfma2_mma <f16, ftz> %r, %s, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.hmnmx2 <f16, nan_wins> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, not %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %x25 = ori.hmnmx2 <f16, nan_wins> %r, %s, not %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  // CHECK: = ori.vhmnmx <bf16> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %x26 = ori.vhmnmx <bf16> %r, %s, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  // CHECK: = ori.hset2 <eq, f16, and> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x27 = ori.hset2 <eq, f16, and> %r, %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.hsetp2 <neu, f16, together, and> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> (!ori.p, !ori.p)
  %x28:2 = ori.hsetp2 <neu, f16, together, and> %r, %s : (!ori.r, !ori.r) -> (!ori.p, !ori.p)
  // CHECK: = ori.dadd %{{[a-z0-9]+}}, neg %{{[a-z0-9]+}} : (!ori.r64, !ori.r64) -> !ori.r64
  %x29 = ori.dadd %d, neg %e : (!ori.r64, !ori.r64) -> !ori.r64
  // CHECK: = ori.dmul <rz> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r64, !ori.r64) -> !ori.r64
  %x30 = ori.dmul <rz> %d, %e : (!ori.r64, !ori.r64) -> !ori.r64
  // CHECK: = ori.dfma %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, neg abs %{{[a-z0-9]+}} : (!ori.r64, !ori.r64, !ori.r64) -> !ori.r64
  %x31 = ori.dfma %d, %e, neg abs %e : (!ori.r64, !ori.r64, !ori.r64) -> !ori.r64
  // CHECK: = ori.dsetp <nan, or> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} with(not %{{[a-z0-9]+}}) : (!ori.r64, !ori.r64, !ori.p) -> !ori.p
  %x32 = ori.dsetp <nan, or> %d, %e with(not %p) : (!ori.r64, !ori.r64, !ori.p) -> !ori.p
  // CHECK: = ori.dfma %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} if %{{[a-z0-9]+}} else %{{[a-z0-9]+}} : (!ori.r64, !ori.r64, !ori.ur64, !ori.p, !ori.r64) -> !ori.r64
  %x33 = ori.dfma %d, %e, %v if %p else %d : (!ori.r64, !ori.r64, !ori.ur64, !ori.p, !ori.r64) -> !ori.r64
  ori.ret
}
