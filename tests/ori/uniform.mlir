// The uniform datapath: uniform counterparts of operations, with uniform guards.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

ori.func @uniform(%r: !ori.r, %s: !ori.r, %d: !ori.r64, %e: !ori.r64, %q: !ori.r128, %u: !ori.ur, %v: !ori.ur64, %p: !ori.p, %o: !ori.p, %up: !ori.up, %b: !ori.b, %acc: !ori.acc<32>, %wide: !ori.acc<8>) target "sm_90a" {
  // CHECK: = ori.uiadd3 %{{[a-z0-9]+}}, neg %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur, !ori.ur, !ori.ur) -> (!ori.ur, !ori.up)
  %x0:2 = ori.uiadd3 %u, neg %u, %u : (!ori.ur, !ori.ur, !ori.ur) -> (!ori.ur, !ori.up)
  // CHECK: = ori.uiadd3 <extended> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} carry(%{{[a-z0-9]+}}) if not %{{[a-z0-9]+}} else %{{[a-z0-9]+}} : (!ori.ur, !ori.ur, !ori.ur, !ori.up, !ori.up, !ori.ur) -> !ori.ur
  %x1 = ori.uiadd3 <extended> %u, %u, %u carry(%up) if not %up else %u : (!ori.ur, !ori.ur, !ori.ur, !ori.up, !ori.up, !ori.ur) -> !ori.ur
  // CHECK: = ori.uimad %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, not %{{[a-z0-9]+}} : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %x2 = ori.uimad %u, %u, not %u : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  // CHECK: = ori.uimad_wide <u32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur, !ori.ur, !ori.ur64) -> !ori.ur64
  %x3 = ori.uimad_wide <u32> %u, %u, %v : (!ori.ur, !ori.ur, !ori.ur64) -> !ori.ur64
  // CHECK: = ori.ulop3 <lut = 255> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %x4 = ori.ulop3 <lut = 255> %u, %u, %u : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  // CHECK: = ori.ulea <shift = 4, high> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %x5 = ori.ulea <shift = 4, high> %u, %u, %u : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  // CHECK: = ori.ushf <right, u64> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %x6 = ori.ushf <right, u64> %u, %u, %u : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  // CHECK: = ori.uprmt <idx> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %x7 = ori.uprmt <idx> %u, %u, %u : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  // CHECK: = ori.usel %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, not %{{[a-z0-9]+}} : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  %x8 = ori.usel %u, %u, not %up : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  // CHECK: = ori.uimnmx <u32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  %x9 = ori.uimnmx <u32> %u, %u, %up : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  // CHECK: = ori.usgxt <u32, wrap> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur, !ori.ur) -> !ori.ur
  %x10 = ori.usgxt <u32, wrap> %u, %u : (!ori.ur, !ori.ur) -> !ori.ur
  // CHECK: = ori.ubmsk %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur, !ori.ur) -> !ori.ur
  %x11 = ori.ubmsk %u, %u : (!ori.ur, !ori.ur) -> !ori.ur
  // CHECK: = ori.upopc not %{{[a-z0-9]+}} : (!ori.ur) -> !ori.ur
  %x12 = ori.upopc not %u : (!ori.ur) -> !ori.ur
  // CHECK: = ori.uflo <u32> %{{[a-z0-9]+}} : (!ori.ur) -> !ori.ur
  %x13 = ori.uflo <u32> %u : (!ori.ur) -> !ori.ur
  // CHECK: = ori.ubrev %{{[a-z0-9]+}} : (!ori.ur) -> !ori.ur
  %x14 = ori.ubrev %u : (!ori.ur) -> !ori.ur
  // CHECK: = ori.uisetp <gt, s32, and> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} with(%{{[a-z0-9]+}}) : (!ori.ur, !ori.ur, !ori.up) -> (!ori.up, !ori.up)
  %x15:2 = ori.uisetp <gt, s32, and> %u, %u with(%up) : (!ori.ur, !ori.ur, !ori.up) -> (!ori.up, !ori.up)
  // CHECK: = ori.ufadd <rz> %{{[a-z0-9]+}}, neg %{{[a-z0-9]+}} : (!ori.ur, !ori.ur) -> !ori.ur
  %x16 = ori.ufadd <rz> %u, neg %u : (!ori.ur, !ori.ur) -> !ori.ur
  // CHECK: = ori.ufmul <ftz> %{{[a-z0-9]+}}, abs %{{[a-z0-9]+}} : (!ori.ur, !ori.ur) -> !ori.ur
  %x17 = ori.ufmul <ftz> %u, abs %u : (!ori.ur, !ori.ur) -> !ori.ur
  // CHECK: = ori.uffma %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  %x18 = ori.uffma %u, %u, %u : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur
  // CHECK: = ori.ufsel %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  %x19 = ori.ufsel %u, %u, %up : (!ori.ur, !ori.ur, !ori.up) -> !ori.ur
  // CHECK: = ori.ufsetp <lt, and> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur, !ori.ur) -> !ori.up
  %x20 = ori.ufsetp <lt, and> %u, %u : (!ori.ur, !ori.ur) -> !ori.up
  // CHECK: = ori.uf2fp <to = bf16, from = f32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur, !ori.ur) -> !ori.ur
  %x21 = ori.uf2fp <to = bf16, from = f32> %u, %u : (!ori.ur, !ori.ur) -> !ori.ur
  // CHECK: = ori.ui2fp <u32> %{{[a-z0-9]+}} : (!ori.ur) -> !ori.ur
  %x22 = ori.ui2fp <u32> %u : (!ori.ur) -> !ori.ur
  // CHECK: = ori.uplop3 <lut = 1> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, not %{{[a-z0-9]+}} : (!ori.up, !ori.up, !ori.up) -> !ori.up
  %x23 = ori.uplop3 <lut = 1> %up, %up, not %up : (!ori.up, !ori.up, !ori.up) -> !ori.up
  // CHECK: = ori.up2ur <mask = 1> %{{[a-z0-9]+}} predicates(%{{[a-z0-9]+}}) : (!ori.ur, !ori.up) -> !ori.ur
  %x24 = ori.up2ur <mask = 1> %u predicates(%up) : (!ori.ur, !ori.up) -> !ori.ur
  ori.ret
}
