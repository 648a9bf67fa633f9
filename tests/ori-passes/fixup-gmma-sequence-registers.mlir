// The registers that accumulators need at one time, cause 7512. Checked with ptxas 13.0.88 on the same
// products in PTX.
//
// RUN: orison-opt --ori-fixup-gmma-sequence %s -o /dev/null 2>&1 | FileCheck %s
//
// Four accumulators of 64 registers, one after the other: the limit is 255, of which 26 are not theirs.
// CHECK-NOT: 7512
// Where a number of registers is asked for, ptxas spreads values, and counts all of them.
// CHECK: warning: (C7512) {{.*}} for the function 'asked'
// CHECK-NOT: 7512
// One of 128 is kept for a later product, while another product needs as many.
// CHECK: warning: (C7512) {{.*}} for the function 'kept'
// CHECK-NOT: 7512
ori.func kernel @sequence() target "sm_90a" attributes {max_threads = array<i32: 128>} {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 128, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %a : (!ori.r64, !ori.r64) -> !ori.acc<64>
  ori.wgmma.commit
  %pw = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<64>) -> !ori.acc<64>
  %p0 = ori.extract %pw[0] : (!ori.acc<64>) -> !ori.r
  ori.stg <b32> [%d + 0], %p0 : (!ori.r64, !ori.r) -> ()
  ori.wgmma.fence
  %q = ori.wgmma.mma <columns = 128, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %a : (!ori.r64, !ori.r64) -> !ori.acc<64>
  ori.wgmma.commit
  %qw = ori.wgmma.wait <count = 0> accumulators(%q) : (!ori.acc<64>) -> !ori.acc<64>
  %q0 = ori.extract %qw[0] : (!ori.acc<64>) -> !ori.r
  ori.stg <b32> [%d + 1024], %q0 : (!ori.r64, !ori.r) -> ()
  ori.wgmma.fence
  %r = ori.wgmma.mma <columns = 128, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %a : (!ori.r64, !ori.r64) -> !ori.acc<64>
  ori.wgmma.commit
  %rw = ori.wgmma.wait <count = 0> accumulators(%r) : (!ori.acc<64>) -> !ori.acc<64>
  %r0 = ori.extract %rw[0] : (!ori.acc<64>) -> !ori.r
  ori.stg <b32> [%d + 2048], %r0 : (!ori.r64, !ori.r) -> ()
  ori.wgmma.fence
  %s = ori.wgmma.mma <columns = 128, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %a : (!ori.r64, !ori.r64) -> !ori.acc<64>
  ori.wgmma.commit
  %sw = ori.wgmma.wait <count = 0> accumulators(%s) : (!ori.acc<64>) -> !ori.acc<64>
  %s0 = ori.extract %sw[0] : (!ori.acc<64>) -> !ori.r
  ori.stg <b32> [%d + 3072], %s0 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

ori.func kernel @asked() target "sm_90a" attributes {max_registers = 255 : i32, max_threads = array<i32: 128>} {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 128, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %a : (!ori.r64, !ori.r64) -> !ori.acc<64>
  ori.wgmma.commit
  %pw = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<64>) -> !ori.acc<64>
  %p0 = ori.extract %pw[0] : (!ori.acc<64>) -> !ori.r
  ori.stg <b32> [%d + 0], %p0 : (!ori.r64, !ori.r) -> ()
  ori.wgmma.fence
  %q = ori.wgmma.mma <columns = 128, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %a : (!ori.r64, !ori.r64) -> !ori.acc<64>
  ori.wgmma.commit
  %qw = ori.wgmma.wait <count = 0> accumulators(%q) : (!ori.acc<64>) -> !ori.acc<64>
  %q0 = ori.extract %qw[0] : (!ori.acc<64>) -> !ori.r
  ori.stg <b32> [%d + 1024], %q0 : (!ori.r64, !ori.r) -> ()
  ori.wgmma.fence
  %r = ori.wgmma.mma <columns = 128, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %a : (!ori.r64, !ori.r64) -> !ori.acc<64>
  ori.wgmma.commit
  %rw = ori.wgmma.wait <count = 0> accumulators(%r) : (!ori.acc<64>) -> !ori.acc<64>
  %r0 = ori.extract %rw[0] : (!ori.acc<64>) -> !ori.r
  ori.stg <b32> [%d + 2048], %r0 : (!ori.r64, !ori.r) -> ()
  ori.wgmma.fence
  %s = ori.wgmma.mma <columns = 128, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %a : (!ori.r64, !ori.r64) -> !ori.acc<64>
  ori.wgmma.commit
  %sw = ori.wgmma.wait <count = 0> accumulators(%s) : (!ori.acc<64>) -> !ori.acc<64>
  %s0 = ori.extract %sw[0] : (!ori.acc<64>) -> !ori.r
  ori.stg <b32> [%d + 3072], %s0 : (!ori.r64, !ori.r) -> ()
  ori.exit
}

ori.func kernel @kept() target "sm_90a" attributes {max_threads = array<i32: 128>} {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 256, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %a : (!ori.r64, !ori.r64) -> !ori.acc<128>
  ori.wgmma.commit
  %pw = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<128>) -> !ori.acc<128>
  ori.wgmma.fence
  %q = ori.wgmma.mma <columns = 256, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %a : (!ori.r64, !ori.r64) -> !ori.acc<128>
  ori.wgmma.commit
  %qw = ori.wgmma.wait <count = 0> accumulators(%q) : (!ori.acc<128>) -> !ori.acc<128>
  %q0 = ori.extract %qw[0] : (!ori.acc<128>) -> !ori.r
  ori.stg <b32> [%d + 1024], %q0 : (!ori.r64, !ori.r) -> ()
  ori.wgmma.fence
  %r = ori.wgmma.mma <columns = 256, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %a accumulator(%pw) : (!ori.r64, !ori.r64, !ori.acc<128>) -> !ori.acc<128>
  ori.wgmma.commit
  %rw = ori.wgmma.wait <count = 0> accumulators(%r) : (!ori.acc<128>) -> !ori.acc<128>
  %r0 = ori.extract %rw[0] : (!ori.acc<128>) -> !ori.r
  ori.stg <b32> [%d + 0], %r0 : (!ori.r64, !ori.r) -> ()
  ori.exit
}
