// Atomic operations and reductions.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

ori.func @atomics(%r: !ori.r, %s: !ori.r, %d: !ori.r64, %e: !ori.r64, %q: !ori.r128, %u: !ori.ur, %v: !ori.ur64, %p: !ori.p, %o: !ori.p, %up: !ori.up, %b: !ori.b, %acc: !ori.acc<32>, %wide: !ori.acc<8>) target "sm_90a" {
  // CHECK: = ori.atom <add, u32> [%{{[a-z0-9]+}}], %{{[a-z0-9]+}} : (!ori.r64, !ori.r) -> !ori.r
  %x0 = ori.atom <add, u32> [%d], %r : (!ori.r64, !ori.r) -> !ori.r
  // CHECK: = ori.atomg <add, f32, strong, gpu, ftz, rn> [%{{[a-z0-9]+}} + 8], %{{[a-z0-9]+}} : (!ori.r64, !ori.r) -> !ori.r
  %x1 = ori.atomg <add, f32, strong, gpu, ftz, rn> [%d + 8], %r : (!ori.r64, !ori.r) -> !ori.r
  // CHECK: = ori.atomg <cas, b64> [%{{[a-z0-9]+}} + %{{[a-z0-9]+}}], %{{[a-z0-9]+}} expected(%{{[a-z0-9]+}}) : (!ori.r64, !ori.ur64, !ori.r64, !ori.r64) -> !ori.r64
  %x2 = ori.atomg <cas, b64> [%d + %v], %e expected(%e) : (!ori.r64, !ori.ur64, !ori.r64, !ori.r64) -> !ori.r64
  // CHECK: = ori.atomg <add, f32x4> [%{{[a-z0-9]+}}], %{{[a-z0-9]+}} : (!ori.r64, !ori.r128) -> !ori.r128
  %x3 = ori.atomg <add, f32x4> [%d], %q : (!ori.r64, !ori.r128) -> !ori.r128
  // CHECK: = ori.atoms <or, b32> [%{{[a-z0-9]+}}], %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x4 = ori.atoms <or, b32> [%r], %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: ori.red <max, s32, strong, sys> [%{{[a-z0-9]+}}], %{{[a-z0-9]+}} : (!ori.r64, !ori.r) -> ()
  ori.red <max, s32, strong, sys> [%d], %r : (!ori.r64, !ori.r) -> ()
  // CHECK: ori.redg <add, f16x2, strong, gpu, evict_first> [%{{[a-z0-9]+}}], %{{[a-z0-9]+}} if %{{[a-z0-9]+}} : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.redg <add, f16x2, strong, gpu, evict_first> [%d], %r if %p : (!ori.r64, !ori.r, !ori.p) -> ()
  ori.ret
}
