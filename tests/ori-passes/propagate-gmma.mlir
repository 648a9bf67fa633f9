// RUN: orison-opt --ori-propagate-gmma %s | FileCheck %s
// RUN: orison-opt --ori-propagate-gmma='knobs=GmmaMaxActiveLiveRanges=1' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: orison-opt --ori-propagate-gmma='knobs=GmmaMode=0' %s | FileCheck %s --check-prefix=OFF
//
// What phase 85 finds: accumulator sets, groups, depth; and its limit.
// OFF-NOT: ori.gmma

// Two accumulators, each in a group of its own: three groups with the open one.
// CHECK-LABEL: @two(
// CHECK-SAME: ori.gmma = {depth = 3 : i32, sets = 2 : i32}
// CHECK: %[[P:.*]] = ori.wgmma.mma {{.*}} {ori.gmma.destination = 0 : i32, ori.gmma.group = 0 : i32}
// CHECK: ori.wgmma.commit {ori.gmma.group = 0 : i32}
// CHECK: %[[Q:.*]] = ori.wgmma.mma {{.*}} {ori.gmma.destination = 1 : i32, ori.gmma.group = 1 : i32}
// CHECK: ori.wgmma.commit {ori.gmma.group = 1 : i32}
// CHECK: ori.wgmma.mma {{.*}} accumulator(%[[P]]) {ori.gmma.destination = 0 : i32, ori.gmma.source = 0 : i32}
// The second and the third product each write one of two sets in flight.
// LIMIT-COUNT-2: remark: (C7407) GMMA sequence has too many active live ranges (2), reduce it to bring it under (1)
// LIMIT-NOT: C7407
ori.func kernel @two() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  ori.wgmma.commit
  %q = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  ori.wgmma.commit
  %r = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%p) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  %x:2 = ori.wgmma.wait <count = 0> accumulators(%r, %q) : (!ori.acc<4>, !ori.acc<4>) -> (!ori.acc<4>, !ori.acc<4>)
  %e = ori.extract %x#0[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a], %e : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// Around a loop an accumulator is one set, and a product of the iteration before may be in flight.
// CHECK-LABEL: @around(
// CHECK-SAME: ori.gmma = {depth = 3 : i32, sets = 1 : i32}
// CHECK: ori.wgmma.mma {{.*}} {ori.gmma.destination = 0 : i32, ori.gmma.group = 0 : i32, ori.gmma.source = 0 : i32}
ori.func kernel @around() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  %i0 = ori.ldg <b32> [%a + 0] : (!ori.r64) -> !ori.r
  %i1 = ori.ldg <b32> [%a + 4] : (!ori.r64) -> !ori.r
  %i2 = ori.ldg <b32> [%a + 8] : (!ori.r64) -> !ori.r
  %i3 = ori.ldg <b32> [%a + 12] : (!ori.r64) -> !ori.r
  %c = ori.concat %i0, %i1, %i2, %i3 : (!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.acc<4>
  ori.bra ^loop(%c : !ori.acc<4>)
^loop(%s: !ori.acc<4>):
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d accumulator(%s) : (!ori.r64, !ori.r64, !ori.acc<4>) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 1> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  %n = ori.ldg <b32> [%a + 8] : (!ori.r64) -> !ori.r
  %z = ori.imm 0 : !ori.r
  %t = ori.isetp <eq, u32, and> %n, %z : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %t, ^loop(%w : !ori.acc<4>), ^end : !ori.p
^end:
  ori.exit
}

// Architectures without products of warp groups are left alone.
// CHECK-LABEL: @before(
// CHECK-NOT: ori.gmma
ori.func kernel @before() target "sm_80" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  ori.wgmma.commit
  %w = ori.wgmma.wait <count = 0> accumulators(%p) : (!ori.acc<4>) -> !ori.acc<4>
  ori.exit
}
