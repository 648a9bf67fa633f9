// Moves, selections, special registers, values of operand slots.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

ori.func @moves(%r: !ori.r, %s: !ori.r, %d: !ori.r64, %e: !ori.r64, %q: !ori.r128, %u: !ori.ur, %v: !ori.ur64, %p: !ori.p, %o: !ori.p, %up: !ori.up, %b: !ori.b, %acc: !ori.acc<32>, %wide: !ori.acc<8>) target "sm_90a" {
  // CHECK: = ori.mov %{{[a-z0-9]+}} : (!ori.ur) -> !ori.r
  %x0 = ori.mov %u : (!ori.ur) -> !ori.r
  // CHECK: = ori.sel %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, not %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.p) -> !ori.r
  %x1 = ori.sel %r, %s, not %p : (!ori.r, !ori.r, !ori.p) -> !ori.r
  // CHECK: = ori.s2r <register = "SR_TID.X"> : !ori.r
  %x2 = ori.s2r <register = "SR_TID.X"> : !ori.r
  // CHECK: = ori.cs2r <register = "SR_CLOCKLO"> : !ori.r
  %x3 = ori.cs2r <register = "SR_CLOCKLO"> : !ori.r
  // CHECK: = ori.cs2r <register = "SRZ", wide> : !ori.r64
  %x4 = ori.cs2r <register = "SRZ", wide> : !ori.r64
  // CHECK: = ori.createpolicy <eviction = evict_first> %{{[a-z0-9]+}} : (!ori.r) -> !ori.r64
  %x5 = ori.createpolicy <eviction = evict_first> %r : (!ori.r) -> !ori.r64
  // CHECK: = ori.createpolicy <eviction = evict_last, other_eviction = evict_first> %{{[a-z0-9]+}} : (!ori.r) -> !ori.r64
  %y5 = ori.createpolicy <eviction = evict_last, other_eviction = evict_first> %r : (!ori.r) -> !ori.r64
  // CHECK: = ori.mapa %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.ur) -> !ori.r
  %x6 = ori.mapa %r, %u : (!ori.r, !ori.ur) -> !ori.r
  // CHECK: = ori.umov %{{[a-z0-9]+}} : (!ori.ur) -> !ori.ur
  %x7 = ori.umov %u : (!ori.ur) -> !ori.ur
  // CHECK: = ori.r2ur %{{[a-z0-9]+}} : (!ori.r) -> !ori.ur
  %x8 = ori.r2ur %r : (!ori.r) -> !ori.ur
  // CHECK: = ori.s2ur <register = "SR_CTAID.Z"> : !ori.ur
  %x9 = ori.s2ur <register = "SR_CTAID.Z"> : !ori.ur
  // CHECK: = ori.cs2ur <register = "SR_CLOCKLO"> : !ori.ur
  %x10 = ori.cs2ur <register = "SR_CLOCKLO"> : !ori.ur
  // CHECK: = ori.imm -5 : !ori.r
  %i0 = ori.imm -5 : !ori.r
  // CHECK: = ori.imm 1 : !ori.up
  %i1 = ori.imm 1 : !ori.up
  // CHECK: = ori.imm 4294967296 : !ori.r64
  %i2 = ori.imm 4294967296 : !ori.r64
  // CHECK: = ori.cbank[0, 352] : !ori.r
  %c0 = ori.cbank[0, 352] : !ori.r
  // CHECK: = ori.cbank[3, 8] : !ori.ur64
  %c1 = ori.cbank[3, 8] : !ori.ur64
  // CHECK: = ori.undef : !ori.acc<3>
  %n0 = ori.undef : !ori.acc<3>
  // CHECK: = ori.concat %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r64
  %k0 = ori.concat %r, %s : (!ori.r, !ori.r) -> !ori.r64
  // CHECK: = ori.concat %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r64, !ori.r, !ori.r, !ori.r128) -> !ori.acc<8>
  %k1 = ori.concat %d, %r, %r, %q : (!ori.r64, !ori.r, !ori.r, !ori.r128) -> !ori.acc<8>
  // CHECK: = ori.extract %{{[a-z0-9]+}}[2] : (!ori.r128) -> !ori.r64
  %k2 = ori.extract %q[2] : (!ori.r128) -> !ori.r64
  // CHECK: = ori.extract %{{[a-z0-9]+}}[31] : (!ori.acc<32>) -> !ori.r
  %k3 = ori.extract %acc[31] : (!ori.acc<32>) -> !ori.r
  ori.ret
}
