// Operations between the lanes of a warp.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

ori.func @warp(%r: !ori.r, %s: !ori.r, %d: !ori.r64, %e: !ori.r64, %q: !ori.r128, %u: !ori.ur, %v: !ori.ur64, %p: !ori.p, %o: !ori.p, %up: !ori.up, %b: !ori.b, %acc: !ori.acc<32>, %wide: !ori.acc<8>) target "sm_90a" {
  // CHECK: = ori.shfl <bfly> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.ur) -> !ori.r
  %x0 = ori.shfl <bfly> %r, %s, %u : (!ori.r, !ori.r, !ori.ur) -> !ori.r
  // CHECK: = ori.shfl <idx> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  %x1:2 = ori.shfl <idx> %r, %s, %s : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)
  // CHECK: = ori.vote <any> not %{{[a-z0-9]+}} : (!ori.p) -> (!ori.r, !ori.p)
  %x2:2 = ori.vote <any> not %p : (!ori.p) -> (!ori.r, !ori.p)
  // CHECK: = ori.voteu <all> %{{[a-z0-9]+}} : (!ori.p) -> (!ori.ur, !ori.up)
  %x3:2 = ori.voteu <all> %p : (!ori.p) -> (!ori.ur, !ori.up)
  // CHECK: = ori.match <any> %{{[a-z0-9]+}} : (!ori.r64) -> !ori.r
  %x4 = ori.match <any> %d : (!ori.r64) -> !ori.r
  // CHECK: = ori.match <all> %{{[a-z0-9]+}} : (!ori.r) -> (!ori.r, !ori.p)
  %x5:2 = ori.match <all> %r : (!ori.r) -> (!ori.r, !ori.p)
  // CHECK: = ori.redux <sum> %{{[a-z0-9]+}} : (!ori.r) -> !ori.ur
  %x6 = ori.redux <sum> %r : (!ori.r) -> !ori.ur
  // CHECK: = ori.redux <min, s32> %{{[a-z0-9]+}} : (!ori.r) -> !ori.ur
  %x7 = ori.redux <min, s32> %r : (!ori.r) -> !ori.ur
  // CHECK: = ori.credux <max, f32, absolute> %{{[a-z0-9]+}} : (!ori.r) -> !ori.ur
  %x8 = ori.credux <max, f32, absolute> %r : (!ori.r) -> !ori.ur
  // CHECK: = ori.elect : !ori.p
  %x9 = ori.elect : !ori.p
  // CHECK: = ori.elect mask(%{{[a-z0-9]+}}) : (!ori.ur) -> (!ori.p, !ori.ur)
  %x10:2 = ori.elect mask(%u) : (!ori.ur) -> (!ori.p, !ori.ur)
  // CHECK: = ori.qspc <shared> %{{[a-z0-9]+}} : (!ori.r64) -> (!ori.p, !ori.r)
  %x11:2 = ori.qspc <shared> %d : (!ori.r64) -> (!ori.p, !ori.r)
  ori.ret
}
