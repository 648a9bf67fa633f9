// Matrix products of a warp, a warp group, and the tensor core.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

ori.func @matrix(%r: !ori.r, %s: !ori.r, %d: !ori.r64, %e: !ori.r64, %q: !ori.r128, %u: !ori.ur, %v: !ori.ur64, %p: !ori.p, %o: !ori.p, %up: !ori.up, %b: !ori.b, %acc: !ori.acc<32>, %wide: !ori.acc<8>) target "sm_90a" {
  // CHECK: = ori.hmma <m16n8k16, from = f16, accumulator = f32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %x0 = ori.hmma <m16n8k16, from = f16, accumulator = f32> %q, %d, %q : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  // CHECK: = ori.hmma <m16n8k16, from = f16, accumulator = f16> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r128, !ori.r64, !ori.r64) -> !ori.r64
  %x1 = ori.hmma <m16n8k16, from = f16, accumulator = f16> %q, %d, %d : (!ori.r128, !ori.r64, !ori.r64) -> !ori.r64
  // CHECK: = ori.hmma <m16n8k8, from = tf32, accumulator = f32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %x2 = ori.hmma <m16n8k8, from = tf32, accumulator = f32> %q, %d, %q : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  // CHECK: = ori.imma <m16n8k32, left_format = s8, right_format = u8, saturate> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %x3 = ori.imma <m16n8k32, left_format = s8, right_format = u8, saturate> %q, %d, %q : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  // CHECK: = ori.imma <m8n8k16, left_format = s8, right_format = s8> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  %x4 = ori.imma <m8n8k16, left_format = s8, right_format = s8> %r, %s, %d : (!ori.r, !ori.r, !ori.r64) -> !ori.r64
  // CHECK: = ori.qmma <m16n8k32, left_format = e4m3, right_format = e5m2, accumulator = f32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %x5 = ori.qmma <m16n8k32, left_format = e4m3, right_format = e5m2, accumulator = f32> %q, %d, %q : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  // CHECK: = ori.bmma <m16n8k256, exclusive> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  %x6 = ori.bmma <m16n8k256, exclusive> %q, %d, %q : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128
  // CHECK: = ori.dmma <m8n8k4> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r64, !ori.r64, !ori.r128) -> !ori.r128
  %x7 = ori.dmma <m8n8k4> %d, %e, %q : (!ori.r64, !ori.r64, !ori.r128) -> !ori.r128
  // CHECK: ori.wgmma.fence
  ori.wgmma.fence
  // CHECK: = ori.wgmma.mma <columns = 64, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} accumulator(%{{[a-z0-9]+}}) scale(not %{{[a-z0-9]+}}) : (!ori.ur64, !ori.r64, !ori.acc<32>, !ori.p) -> !ori.acc<32>
  %x9 = ori.wgmma.mma <columns = 64, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %v, %d accumulator(%acc) scale(not %p) : (!ori.ur64, !ori.r64, !ori.acc<32>, !ori.p) -> !ori.acc<32>
  // CHECK: = ori.wgmma.mma <columns = 64, depth = 32, fp8, left_format = e4m3, right_format = e5m2, accumulator = f32, transpose_right> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r128, !ori.ur64) -> !ori.acc<32>
  %x10 = ori.wgmma.mma <columns = 64, depth = 32, fp8, left_format = e4m3, right_format = e5m2, accumulator = f32, transpose_right> %q, %v : (!ori.r128, !ori.ur64) -> !ori.acc<32>
  // CHECK: = ori.wgmma.mma <columns = 64, depth = 32, half, left_format = f16, right_format = f16, accumulator = f32, selector = 1> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} metadata(%{{[a-z0-9]+}}) : (!ori.r64, !ori.r64, !ori.r) -> !ori.acc<32>
  %x10b = ori.wgmma.mma <columns = 64, depth = 32, half, left_format = f16, right_format = f16, accumulator = f32, selector = 1> %d, %d metadata(%r) : (!ori.r64, !ori.r64, !ori.r) -> !ori.acc<32>
  // CHECK: ori.wgmma.commit
  ori.wgmma.commit
  // CHECK: = ori.wgmma.wait <count = 1> accumulators(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) : (!ori.acc<32>, !ori.acc<8>) -> (!ori.acc<32>, !ori.acc<8>)
  %x12:2 = ori.wgmma.wait <count = 1> accumulators(%acc, %wide) : (!ori.acc<32>, !ori.acc<8>) -> (!ori.acc<32>, !ori.acc<8>)
  // CHECK: ori.wgmma.wait <count = 0>
  ori.wgmma.wait <count = 0>
  // CHECK: ori.warpgroup.arrive
  ori.warpgroup.arrive
  // CHECK: ori.warpgroup.commit
  ori.warpgroup.commit
  // CHECK: = ori.warpgroup.wait <count = 0> accumulators(%{{[a-z0-9]+}}) : (!ori.acc<32>) -> !ori.acc<32>
  %x16 = ori.warpgroup.wait <count = 0> accumulators(%acc) : (!ori.acc<32>) -> !ori.acc<32>
  // CHECK: ori.tcgen05.mma <f16> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} scale(%{{[a-z0-9]+}}) if %{{[a-z0-9]+}} : (!ori.ur64, !ori.ur64, !ori.ur, !ori.ur, !ori.up, !ori.up) -> ()
  ori.tcgen05.mma <f16> %v, %v, %u, %u scale(%up) if %up : (!ori.ur64, !ori.ur64, !ori.ur, !ori.ur, !ori.up, !ori.up) -> ()
  // CHECK: ori.tcgen05.mma <mxf4, two_ctas> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} scales(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) : (!ori.ur, !ori.ur64, !ori.ur, !ori.ur, !ori.ur, !ori.ur) -> ()
  ori.tcgen05.mma <mxf4, two_ctas> %u, %v, %u, %u scales(%u, %u) : (!ori.ur, !ori.ur64, !ori.ur, !ori.ur, !ori.ur, !ori.ur) -> ()
  // CHECK: = ori.tcgen05.ld <s32x32b, repeat = 8> %{{[a-z0-9]+}} : (!ori.ur) -> !ori.acc<8>
  %x19 = ori.tcgen05.ld <s32x32b, repeat = 8> %u : (!ori.ur) -> !ori.acc<8>
  // CHECK: = ori.tcgen05.ld <s16x32bx2, repeat = 32, half_distance = 16> %{{[a-z0-9]+}} : (!ori.r) -> !ori.acc<32>
  %x20 = ori.tcgen05.ld <s16x32bx2, repeat = 32, half_distance = 16> %r : (!ori.r) -> !ori.acc<32>
  // CHECK: = ori.tcgen05.ld <s16x256b, repeat = 1, pack> %{{[a-z0-9]+}} : (!ori.ur) -> !ori.r128
  %x21 = ori.tcgen05.ld <s16x256b, repeat = 1, pack> %u : (!ori.ur) -> !ori.r128
  // CHECK: ori.tcgen05.st <s16x128b, repeat = 4> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur, !ori.acc<8>) -> ()
  ori.tcgen05.st <s16x128b, repeat = 4> %u, %wide : (!ori.ur, !ori.acc<8>) -> ()
  // CHECK: = ori.tcgen05.wait_ld values(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) : (!ori.acc<8>, !ori.r128) -> (!ori.acc<8>, !ori.r128)
  %x23:2 = ori.tcgen05.wait_ld values(%wide, %q) : (!ori.acc<8>, !ori.r128) -> (!ori.acc<8>, !ori.r128)
  // CHECK: ori.tcgen05.wait_st
  ori.tcgen05.wait_st
  // CHECK: ori.tcgen05.cp <two_ctas> %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.ur, !ori.ur64) -> ()
  ori.tcgen05.cp <two_ctas> %u, %v : (!ori.ur, !ori.ur64) -> ()
  // CHECK: ori.tcgen05.shift %{{[a-z0-9]+}} : (!ori.ur) -> ()
  ori.tcgen05.shift %u : (!ori.ur) -> ()
  // CHECK: ori.tcgen05.commit %{{[a-z0-9]+}} multicast(%{{[a-z0-9]+}}) : (!ori.ur, !ori.ur) -> ()
  ori.tcgen05.commit %u multicast(%u) : (!ori.ur, !ori.ur) -> ()
  // CHECK: = ori.tcgen05.alloc %{{[a-z0-9]+}} : (!ori.ur) -> (!ori.ur, !ori.up)
  %x28:2 = ori.tcgen05.alloc %u : (!ori.ur) -> (!ori.ur, !ori.up)
  // CHECK: ori.tcgen05.dealloc %{{[a-z0-9]+}} columns(%{{[a-z0-9]+}}) : (!ori.ur, !ori.ur) -> ()
  ori.tcgen05.dealloc %u columns(%u) : (!ori.ur, !ori.ur) -> ()
  // CHECK: ori.tcgen05.permit
  ori.tcgen05.permit
  ori.ret
}

ori.func @sparse(%r: !ori.r, %d: !ori.r64, %q: !ori.r128) target "sm_120a" {
  // CHECK: = ori.hmma_sp <m16n8k32, from = f16, accumulator = f32, selector = 1> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r128, !ori.r128, !ori.r128, !ori.r) -> !ori.r128
  %x0 = ori.hmma_sp <m16n8k32, from = f16, accumulator = f32, selector = 1> %q, %q, %q, %r : (!ori.r128, !ori.r128, !ori.r128, !ori.r) -> !ori.r128
  // CHECK: = ori.hmma_sp <m16n8k8, from = tf32, accumulator = f32, selector = 0> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r64, !ori.r64, !ori.r128, !ori.r) -> !ori.r128
  %x1 = ori.hmma_sp <m16n8k8, from = tf32, accumulator = f32, selector = 0> %d, %d, %q, %r : (!ori.r64, !ori.r64, !ori.r128, !ori.r) -> !ori.r128
  // CHECK: = ori.imma_sp <m16n8k64, left_format = s8, right_format = u8, selector = 0, saturate> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r128, !ori.r128, !ori.r128, !ori.r) -> !ori.r128
  %x2 = ori.imma_sp <m16n8k64, left_format = s8, right_format = u8, selector = 0, saturate> %q, %q, %q, %r : (!ori.r128, !ori.r128, !ori.r128, !ori.r) -> !ori.r128
  // CHECK: = ori.qmma_sp <m16n8k64, left_format = e4m3, right_format = e2m1, accumulator = f16, selector = 0> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r128, !ori.r128, !ori.r64, !ori.r) -> !ori.r64
  %x3 = ori.qmma_sp <m16n8k64, left_format = e4m3, right_format = e2m1, accumulator = f16, selector = 0> %q, %q, %d, %r : (!ori.r128, !ori.r128, !ori.r64, !ori.r) -> !ori.r64
  // CHECK: = ori.qmma_sf <m16n8k32, left_format = e4m3, right_format = e5m2> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r128, !ori.r64, !ori.r128, !ori.r, !ori.r, !ori.r) -> !ori.r128
  %x4 = ori.qmma_sf <m16n8k32, left_format = e4m3, right_format = e5m2> %q, %d, %q, %r, %r, %r : (!ori.r128, !ori.r64, !ori.r128, !ori.r, !ori.r, !ori.r) -> !ori.r128
  // CHECK: = ori.qmma_sf <m16n8k64, left_format = e4m3, right_format = e5m2, selector = 0> {{.*}} metadata(%{{[a-z0-9]+}}) : (!ori.r128, !ori.r128, !ori.r128, !ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128
  %x5 = ori.qmma_sf <m16n8k64, left_format = e4m3, right_format = e5m2, selector = 0> %q, %q, %q, %r, %r, %r metadata(%r) : (!ori.r128, !ori.r128, !ori.r128, !ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128
  // CHECK: = ori.omma_sf <m16n8k64, e4m3, scales = 4> %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (!ori.r128, !ori.r64, !ori.r128, !ori.r, !ori.r, !ori.r) -> !ori.r128
  %x6 = ori.omma_sf <m16n8k64, e4m3, scales = 4> %q, %d, %q, %r, %r, %r : (!ori.r128, !ori.r64, !ori.r128, !ori.r, !ori.r, !ori.r) -> !ori.r128
  ori.ret
}
