// Asynchronous copies.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

ori.func @asynchronous(%r: !ori.r, %s: !ori.r, %d: !ori.r64, %e: !ori.r64, %q: !ori.r128, %u: !ori.ur, %v: !ori.ur64, %p: !ori.p, %o: !ori.p, %up: !ori.up, %b: !ori.b, %acc: !ori.acc<32>, %wide: !ori.acc<8>) target "sm_90a" {
  // CHECK: ori.ldgsts <b128, bypass, ltc128b> [%{{[a-z0-9]+}} + 1024], [%{{[a-z0-9]+}} + %{{[a-z0-9]+}} - 16] : (!ori.r, !ori.r64, !ori.ur64) -> ()
  ori.ldgsts <b128, bypass, ltc128b> [%r + 1024], [%d + %v - 16] : (!ori.r, !ori.r64, !ori.ur64) -> ()
  // CHECK: ori.ldgsts <b32> [%{{[a-z0-9]+}}], [%{{[a-z0-9]+}}] size(%{{[a-z0-9]+}}) policy(%{{[a-z0-9]+}}) if %{{[a-z0-9]+}} : (!ori.ur, !ori.r64, !ori.r, !ori.r64, !ori.p) -> ()
  ori.ldgsts <b32> [%u], [%d] size(%r) policy(%e) if %p : (!ori.ur, !ori.r64, !ori.r, !ori.r64, !ori.p) -> ()
  // CHECK: ori.ldgdepbar
  ori.ldgdepbar
  // CHECK: ori.depbar <count = 2>
  ori.depbar <count = 2>
  // CHECK: ori.bulk_wait <count = 0, reads>
  ori.bulk_wait <count = 0, reads>
  // CHECK: ori.syncs <init> [%{{[a-z0-9]+}} + 32] count(%{{[a-z0-9]+}}) : (!ori.ur, !ori.ur64) -> ()
  ori.syncs <init> [%u + 32] count(%v) : (!ori.ur, !ori.ur64) -> ()
  // CHECK: ori.syncs <inval> [%{{[a-z0-9]+}}] : (!ori.r) -> ()
  ori.syncs <inval> [%r] : (!ori.r) -> ()
  // CHECK: = ori.syncs_arrive [%{{[a-z0-9]+}}] : (!ori.ur) -> !ori.r64
  %x7 = ori.syncs_arrive [%u] : (!ori.ur) -> !ori.r64
  // CHECK: ori.syncs_arrive <remote> [%{{[a-z0-9]+}} + 8] count(%{{[a-z0-9]+}}) expect(%{{[a-z0-9]+}}) : (!ori.r, !ori.r, !ori.ur) -> ()
  ori.syncs_arrive <remote> [%r + 8] count(%s) expect(%u) : (!ori.r, !ori.r, !ori.ur) -> ()
  // CHECK: = ori.syncs_try_wait [%{{[a-z0-9]+}} + 8], %{{[a-z0-9]+}} : (!ori.ur, !ori.r) -> !ori.p
  %x9 = ori.syncs_try_wait [%u + 8], %r : (!ori.ur, !ori.r) -> !ori.p
  // CHECK: = ori.syncs_try_wait <test> [%{{[a-z0-9]+}}], %{{[a-z0-9]+}} : (!ori.r, !ori.r64) -> !ori.p
  %x10 = ori.syncs_try_wait <test> [%r], %d : (!ori.r, !ori.r64) -> !ori.p
  // CHECK: ori.cctl <ivall> [0]
  ori.cctl <ivall> [0]
  // CHECK: ori.cctl <iv> [%{{[a-z0-9]+}} + 128] : (!ori.r64) -> ()
  ori.cctl <iv> [%d + 128] : (!ori.r64) -> ()
  // CHECK: ori.cctll <wb> [%{{[a-z0-9]+}}] : (!ori.r) -> ()
  ori.cctll <wb> [%r] : (!ori.r) -> ()
  // CHECK: ori.utmaldg <dimensions = 2> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} coordinates(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) if %{{[a-z0-9]+}} : (!ori.ur64, !ori.ur, !ori.ur, !ori.ur, !ori.ur, !ori.up) -> ()
  ori.utmaldg <dimensions = 2> %v, %u, %u coordinates(%u, %u) if %up : (!ori.ur64, !ori.ur, !ori.ur, !ori.ur, !ori.ur, !ori.up) -> ()
  // CHECK: ori.utmaldg <dimensions = 3, im2col, two_ctas> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} coordinates(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}) multicast(%{{[a-z0-9]+}}) policy(%{{[a-z0-9]+}}) : (!ori.ur64, !ori.ur, !ori.ur, !ori.ur, !ori.ur, !ori.ur, !ori.ur, !ori.ur64) -> ()
  ori.utmaldg <dimensions = 3, im2col, two_ctas> %v, %u, %u coordinates(%u, %u, %u) multicast(%u) policy(%v) : (!ori.ur64, !ori.ur, !ori.ur, !ori.ur, !ori.ur, !ori.ur, !ori.ur, !ori.ur64) -> ()
  // CHECK: ori.utmaldg <dimensions = 1, im2col> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} coordinates(%{{[a-z0-9]+}}) offsets(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) : (!ori.ur64, !ori.ur, !ori.ur, !ori.ur, !ori.ur, !ori.ur) -> ()
  ori.utmaldg <dimensions = 1, im2col> %v, %u, %u coordinates(%u) offsets(%u, %u) : (!ori.ur64, !ori.ur, !ori.ur, !ori.ur, !ori.ur, !ori.ur) -> ()
  // CHECK: ori.utmastg <dimensions = 2> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} coordinates(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) : (!ori.ur64, !ori.ur, !ori.ur, !ori.ur) -> ()
  ori.utmastg <dimensions = 2> %v, %u coordinates(%u, %u) : (!ori.ur64, !ori.ur, !ori.ur, !ori.ur) -> ()
  // CHECK: ori.utmaredg <dimensions = 1, add> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} coordinates(%{{[a-z0-9]+}}) : (!ori.ur64, !ori.ur, !ori.ur) -> ()
  ori.utmaredg <dimensions = 1, add> %v, %u coordinates(%u) : (!ori.ur64, !ori.ur, !ori.ur) -> ()
  // CHECK: ori.utmapf <dimensions = 1> %{{[a-z0-9]+}} coordinates(%{{[a-z0-9]+}}) : (!ori.ur64, !ori.ur) -> ()
  ori.utmapf <dimensions = 1> %v coordinates(%u) : (!ori.ur64, !ori.ur) -> ()
  // CHECK: ori.utmacctl <iv> %{{[a-z0-9]+}} : (!ori.ur64) -> ()
  ori.utmacctl <iv> %v : (!ori.ur64) -> ()
  // CHECK: ori.utmacmdflush
  ori.utmacmdflush
  // CHECK: ori.ublkcp %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} barrier(%{{[a-z0-9]+}}) : (!ori.ur, !ori.ur64, !ori.ur, !ori.ur) -> ()
  ori.ublkcp %u, %v, %u barrier(%u) : (!ori.ur, !ori.ur64, !ori.ur, !ori.ur) -> ()
  // CHECK: ori.ublkred <min> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur64, !ori.ur, !ori.ur) -> ()
  ori.ublkred <min> %v, %u, %u : (!ori.ur64, !ori.ur, !ori.ur) -> ()
  // CHECK: ori.ublkpf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur64, !ori.ur) -> ()
  ori.ublkpf %v, %u : (!ori.ur64, !ori.ur) -> ()
  // CHECK: ori.ublkred <add, f16x2> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur64, !ori.ur, !ori.ur) -> ()
  ori.ublkred <add, f16x2> %v, %u, %u : (!ori.ur64, !ori.ur, !ori.ur) -> ()
  // CHECK: ori.arrives <counted> [%{{[a-z0-9]+}} + 8] : (!ori.r) -> ()
  ori.arrives <counted> [%r + 8] : (!ori.r) -> ()
  // CHECK: ori.syncs <complete_tx> [%{{[a-z0-9]+}}] count(%{{[a-z0-9]+}}) : (!ori.r, !ori.r) -> ()
  ori.syncs <complete_tx> [%r] count(%r) : (!ori.r, !ori.r) -> ()
  // CHECK: ori.syncs_arrive <drops> [%{{[a-z0-9]+}}] : (!ori.r) -> ()
  ori.syncs_arrive <drops> [%r] : (!ori.r) -> ()
  // CHECK: ori.cctl <rml2> [%{{[a-z0-9]+}}] : (!ori.r64) -> ()
  ori.cctl <rml2> [%d] : (!ori.r64) -> ()
  ori.ret
}
