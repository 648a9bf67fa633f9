// Textures and surfaces.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

ori.func @texture(%r: !ori.r, %s: !ori.r, %d: !ori.r64, %e: !ori.r64, %q: !ori.r128, %u: !ori.ur, %v: !ori.ur64, %p: !ori.p, %o: !ori.p, %up: !ori.up, %b: !ori.b, %acc: !ori.acc<32>, %wide: !ori.acc<8>) target "sm_90a" {
  // CHECK: = ori.tex <tex2d, mask = 15, auto> coordinates(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) handle(%{{[a-z0-9]+}}) : (!ori.r, !ori.r, !ori.r64) -> !ori.r128
  %x0 = ori.tex <tex2d, mask = 15, auto> coordinates(%r, %s) handle(%d) : (!ori.r, !ori.r, !ori.r64) -> !ori.r128
  // CHECK: = ori.tex <tex2d, mask = 1, bound = 3, lz> coordinates(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) : (!ori.r, !ori.r) -> !ori.r
  %x1 = ori.tex <tex2d, mask = 1, bound = 3, lz> coordinates(%r, %s) : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.txd <array2d, mask = 3> coordinates(%{{[a-z0-9]+}}) handle(%{{[a-z0-9]+}}) : (!ori.r128, !ori.ur) -> !ori.r64
  %x2 = ori.txd <array2d, mask = 3> coordinates(%q) handle(%u) : (!ori.r128, !ori.ur) -> !ori.r64
  // CHECK: = ori.tld <tex1d, mask = 7, ll> coordinates(%{{[a-z0-9]+}}) handle(%{{[a-z0-9]+}}) : (!ori.r, !ori.r) -> !ori.acc<3>
  %x3 = ori.tld <tex1d, mask = 7, ll> coordinates(%r) handle(%r) : (!ori.r, !ori.r) -> !ori.acc<3>
  // CHECK: = ori.tld4 <cube, mask = 15> coordinates(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}) handle(%{{[a-z0-9]+}}) : (!ori.r, !ori.r, !ori.r, !ori.r64) -> !ori.r128
  %x4 = ori.tld4 <cube, mask = 15> coordinates(%r, %s, %s) handle(%d) : (!ori.r, !ori.r, !ori.r, !ori.r64) -> !ori.r128
  // CHECK: = ori.txq <dimension, mask = 1> coordinates(%{{[a-z0-9]+}}) handle(%{{[a-z0-9]+}}) : (!ori.r, !ori.r64) -> !ori.r
  %x5 = ori.txq <dimension, mask = 1> coordinates(%r) handle(%d) : (!ori.r, !ori.r64) -> !ori.r
  // CHECK: = ori.suld <tex2d, b64> coordinates(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) handle(%{{[a-z0-9]+}}) : (!ori.r, !ori.r, !ori.r) -> !ori.r64
  %x6 = ori.suld <tex2d, b64> coordinates(%r, %s) handle(%r) : (!ori.r, !ori.r, !ori.r) -> !ori.r64
  // CHECK: ori.sust <tex3d, bound = 1, b32> %{{[a-z0-9]+}} coordinates(%{{[a-z0-9]+}}) : (!ori.r, !ori.r128) -> ()
  ori.sust <tex3d, bound = 1, b32> %r coordinates(%q) : (!ori.r, !ori.r128) -> ()
  // CHECK: = ori.suatom <tex1d, add, u32> %{{[a-z0-9]+}} coordinates(%{{[a-z0-9]+}}) handle(%{{[a-z0-9]+}}) : (!ori.r, !ori.r, !ori.r) -> !ori.r
  %x8 = ori.suatom <tex1d, add, u32> %r coordinates(%s) handle(%r) : (!ori.r, !ori.r, !ori.r) -> !ori.r
  // CHECK: ori.sured <tex1d, max, s32> %{{[a-z0-9]+}} coordinates(%{{[a-z0-9]+}}) handle(%{{[a-z0-9]+}}) : (!ori.r, !ori.r, !ori.r) -> ()
  ori.sured <tex1d, max, s32> %r coordinates(%s) handle(%r) : (!ori.r, !ori.r, !ori.r) -> ()
  // CHECK: ori.sust <tex1d, clamp, b32> %{{[a-z0-9]+}} coordinates(%{{[a-z0-9]+}}) handle(%{{[a-z0-9]+}}) : (!ori.r, !ori.r, !ori.r) -> ()
  ori.sust <tex1d, clamp, b32> %r coordinates(%s) handle(%r) : (!ori.r, !ori.r, !ori.r) -> ()
  ori.ret
}
