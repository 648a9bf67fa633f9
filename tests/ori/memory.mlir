// Loads and stores: addresses, widths, orders, caches.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

ori.func @memory(%r: !ori.r, %s: !ori.r, %d: !ori.r64, %e: !ori.r64, %q: !ori.r128, %u: !ori.ur, %v: !ori.ur64, %p: !ori.p, %o: !ori.p, %up: !ori.up, %b: !ori.b, %acc: !ori.acc<32>, %wide: !ori.acc<8>) target "sm_90a" {
  // CHECK: = ori.ldg <b32> [%{{[a-z0-9]+}}] : (!ori.r64) -> !ori.r
  %x0 = ori.ldg <b32> [%d] : (!ori.r64) -> !ori.r
  // CHECK: = ori.ldg <b64, strong, gpu> [%{{[a-z0-9]+}} + %{{[a-z0-9]+}} + 16] : (!ori.r64, !ori.ur64) -> !ori.r64
  %x1 = ori.ldg <b64, strong, gpu> [%d + %v + 16] : (!ori.r64, !ori.ur64) -> !ori.r64
  // CHECK: = ori.ldg <b128, constant, evict_first, ltc128b> [%{{[a-z0-9]+}} - 32] policy(%{{[a-z0-9]+}}) : (!ori.ur64, !ori.r64) -> !ori.r128
  %x2 = ori.ldg <b128, constant, evict_first, ltc128b> [%v - 32] policy(%e) : (!ori.ur64, !ori.r64) -> !ori.r128
  // CHECK: = ori.ldg <b256> [%{{[a-z0-9]+}}] : (!ori.r64) -> !ori.acc<8>
  %x3 = ori.ldg <b256> [%d] : (!ori.r64) -> !ori.acc<8>
  // CHECK: = ori.ldg <u8, weak> [%{{[a-z0-9]+}} + 8388607] : (!ori.r64) -> !ori.r
  %x4 = ori.ldg <u8, weak> [%d + 8388607] : (!ori.r64) -> !ori.r
  // CHECK: = ori.ldg <b32> [%{{[a-z0-9]+}}] if %{{[a-z0-9]+}} else %{{[a-z0-9]+}} : (!ori.r64, !ori.p, !ori.r) -> !ori.r
  %x5 = ori.ldg <b32> [%d] if %p else %r : (!ori.r64, !ori.p, !ori.r) -> !ori.r
  // CHECK: = ori.ld <s16, mmio, sys> [%{{[a-z0-9]+}}] : (!ori.r64) -> !ori.r
  %x6 = ori.ld <s16, mmio, sys> [%d] : (!ori.r64) -> !ori.r
  // CHECK: = ori.lds <b128> [%{{[a-z0-9]+}} + %{{[a-z0-9]+}} + 2048] : (!ori.r, !ori.ur) -> !ori.r128
  %x7 = ori.lds <b128> [%r + %u + 2048] : (!ori.r, !ori.ur) -> !ori.r128
  // CHECK: = ori.lds <b32> [1024] : !ori.r
  %x8 = ori.lds <b32> [1024] : !ori.r
  // CHECK: = ori.ldl <b32, last_use> [%{{[a-z0-9]+}}] : (!ori.r) -> !ori.r
  %x9 = ori.ldl <b32, last_use> [%r] : (!ori.r) -> !ori.r
  // CHECK: = ori.ldc <b64, bank = 0> [%{{[a-z0-9]+}} + 352] : (!ori.r) -> !ori.r64
  %x10 = ori.ldc <b64, bank = 0> [%r + 352] : (!ori.r) -> !ori.r64
  // CHECK: = ori.uldc <b64, bank = 0> [280] : !ori.ur64
  %x11 = ori.uldc <b64, bank = 0> [280] : !ori.ur64
  // CHECK: = ori.ldcu <b32, bank = 3> [%{{[a-z0-9]+}}] : (!ori.ur) -> !ori.ur
  %x12 = ori.ldcu <b32, bank = 3> [%u] : (!ori.ur) -> !ori.ur
  // CHECK: ori.stg <b64, evict_unchanged> [%{{[a-z0-9]+}} + %{{[a-z0-9]+}}], %{{[a-z0-9]+}} : (!ori.r64, !ori.ur64, !ori.r64) -> ()
  ori.stg <b64, evict_unchanged> [%d + %v], %e : (!ori.r64, !ori.ur64, !ori.r64) -> ()
  // CHECK: ori.stg <b32, strong, sys> [%{{[a-z0-9]+}}], %{{[a-z0-9]+}} policy(%{{[a-z0-9]+}}) if not %{{[a-z0-9]+}} : (!ori.r64, !ori.r, !ori.ur64, !ori.p) -> ()
  ori.stg <b32, strong, sys> [%d], %r policy(%v) if not %p : (!ori.r64, !ori.r, !ori.ur64, !ori.p) -> ()
  // CHECK: ori.st <u16> [%{{[a-z0-9]+}}], %{{[a-z0-9]+}} : (!ori.r64, !ori.r) -> ()
  ori.st <u16> [%d], %r : (!ori.r64, !ori.r) -> ()
  // CHECK: ori.sts <b128> [%{{[a-z0-9]+}} - 16], %{{[a-z0-9]+}} : (!ori.r, !ori.r128) -> ()
  ori.sts <b128> [%r - 16], %q : (!ori.r, !ori.r128) -> ()
  // CHECK: ori.stl <b64> [%{{[a-z0-9]+}}], %{{[a-z0-9]+}} : (!ori.r, !ori.r64) -> ()
  ori.stl <b64> [%r], %d : (!ori.r, !ori.r64) -> ()
  // CHECK: = ori.ldsm <x4> [%{{[a-z0-9]+}} + %{{[a-z0-9]+}} + 512] : (!ori.r, !ori.ur) -> !ori.r128
  %x18 = ori.ldsm <x4> [%r + %u + 512] : (!ori.r, !ori.ur) -> !ori.r128
  // CHECK: = ori.ldsm <x2, transposed> [%{{[a-z0-9]+}}] : (!ori.r) -> !ori.r64
  %x19 = ori.ldsm <x2, transposed> [%r] : (!ori.r) -> !ori.r64
  // CHECK: ori.stsm <x1> [%{{[a-z0-9]+}}], %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> ()
  ori.stsm <x1> [%r], %s : (!ori.r, !ori.r) -> ()
  // CHECK: = ori.movm %{{[a-z0-9]+}} : (!ori.r) -> !ori.r
  %x21 = ori.movm %r : (!ori.r) -> !ori.r
  ori.ret
}
