// Conversions between number formats.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

ori.func @conversion(%r: !ori.r, %s: !ori.r, %d: !ori.r64, %e: !ori.r64, %q: !ori.r128, %u: !ori.ur, %v: !ori.ur64, %p: !ori.p, %o: !ori.p, %up: !ori.up, %b: !ori.b, %acc: !ori.acc<32>, %wide: !ori.acc<8>) target "sm_90a" {
  // CHECK: = ori.i2f <to = f32, from = s32> %{{[a-z0-9]+}} : (!ori.r) -> !ori.r
  %x0 = ori.i2f <to = f32, from = s32> %r : (!ori.r) -> !ori.r
  // CHECK: = ori.i2f <to = f64, from = u32, double> %{{[a-z0-9]+}} : (!ori.r) -> !ori.r64
  %x1 = ori.i2f <to = f64, from = u32, double> %r : (!ori.r) -> !ori.r64
  // CHECK: = ori.i2f <to = f32, from = u64, rp, double> %{{[a-z0-9]+}} : (!ori.r64) -> !ori.r
  %x2 = ori.i2f <to = f32, from = u64, rp, double> %d : (!ori.r64) -> !ori.r
  // CHECK: = ori.f2i <to = u32, from = f32, trunc, ftz, nan_is_zero> neg %{{[a-z0-9]+}} : (!ori.r) -> !ori.r
  %x3 = ori.f2i <to = u32, from = f32, trunc, ftz, nan_is_zero> neg %r : (!ori.r) -> !ori.r
  // CHECK: = ori.f2i <to = s64, from = f64, floor, double> abs %{{[a-z0-9]+}} : (!ori.r64) -> !ori.r64
  %x4 = ori.f2i <to = s64, from = f64, floor, double> abs %d : (!ori.r64) -> !ori.r64
  // CHECK: = ori.f2f <to = f32, from = f64, rz, double> %{{[a-z0-9]+}} : (!ori.r64) -> !ori.r
  %x5 = ori.f2f <to = f32, from = f64, rz, double> %d : (!ori.r64) -> !ori.r
  // CHECK: = ori.f2f <to = f16, from = f32, ftz, saturate> %{{[a-z0-9]+}} : (!ori.r) -> !ori.r
  %x6 = ori.f2f <to = f16, from = f32, ftz, saturate> %r : (!ori.r) -> !ori.r
  // CHECK: = ori.frnd <f32, trunc, ftz> %{{[a-z0-9]+}} : (!ori.r) -> !ori.r
  %x7 = ori.frnd <f32, trunc, ftz> %r : (!ori.r) -> !ori.r
  // CHECK: = ori.frnd <f64, ceil, double> %{{[a-z0-9]+}} : (!ori.r64) -> !ori.r64
  %x8 = ori.frnd <f64, ceil, double> %d : (!ori.r64) -> !ori.r64
  // CHECK: = ori.f2fp <to = bf16, from = f32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x9 = ori.f2fp <to = bf16, from = f32> %r, %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.f2fp <to = e4m3, from = f32, relu, satfinite> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x10 = ori.f2fp <to = e4m3, from = f32, relu, satfinite> %r, %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.i2fp <s32> %{{[a-z0-9]+}} : (!ori.r) -> !ori.r
  %x11 = ori.i2fp <s32> %r : (!ori.r) -> !ori.r
  // CHECK: = ori.f2ip <to = s8, from = f32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r) -> !ori.r
  %x12 = ori.f2ip <to = s8, from = f32> %r, %s : (!ori.r, !ori.r) -> !ori.r
  // CHECK: = ori.f2fp_unpack <to = f16, from = e4m3, relu> %{{[a-z0-9]+}} : (!ori.r) -> !ori.r
  %x13 = ori.f2fp_unpack <to = f16, from = e4m3, relu> %r : (!ori.r) -> !ori.r
  ori.ret
}
