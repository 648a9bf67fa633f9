// RUN: orison-opt --ori-print-analysis=kind=groups %s -o /dev/null --verify-diagnostics
//
// Products in flight before each operation on groups: a number and the groups it may be in.

// Groups age with each commit; a wait for one completes all but the last.
ori.func kernel @ages() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  // expected-remark @+1 {{in flight: []}}
  ori.wgmma.fence
  // expected-remark @+1 {{in flight: []}}
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  // expected-remark @+1 {{in flight: [0 open]}}
  ori.wgmma.commit
  // expected-remark @+1 {{in flight: [0 closed-1]}}
  %q = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  // expected-remark @+1 {{in flight: [0 closed-1, 1 open]}}
  ori.wgmma.commit
  // expected-remark @+1 {{in flight: [0 closed-2, 1 closed-1]}}
  ori.wgmma.wait <count = 1> : () -> ()
  // expected-remark @+1 {{in flight: [1 closed-1]}}
  ori.wgmma.wait <count = 0> : () -> ()
  // expected-remark @+1 {{in flight: []}}
  ori.wgmma.fence
  ori.exit
}

// A wait leaves the open group.
ori.func kernel @open() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  // expected-remark @+1 {{in flight: []}}
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  // expected-remark @+1 {{in flight: [0 open]}}
  ori.wgmma.wait <count = 0> : () -> ()
  // expected-remark @+1 {{in flight: [0 open]}}
  ori.wgmma.commit
  // expected-remark @+1 {{in flight: [0 closed-1]}}
  ori.wgmma.wait <count = 0> : () -> ()
  ori.exit
}

// What is in flight on one path may be in flight after both; around a loop, from the iteration before.
ori.func kernel @paths() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  %i0 = ori.ldg <b32> [%a + 0] : (!ori.r64) -> !ori.r
  %i1 = ori.ldg <b32> [%a + 4] : (!ori.r64) -> !ori.r
  %i2 = ori.ldg <b32> [%a + 8] : (!ori.r64) -> !ori.r
  %i3 = ori.ldg <b32> [%a + 12] : (!ori.r64) -> !ori.r
  %z = ori.imm 0 : !ori.r
  %t = ori.isetp <eq, u32, and> %i0, %z : (!ori.r, !ori.r) -> !ori.p
  ori.cond_bra %t, ^then, ^join : !ori.p
^then:
  // expected-remark @+1 {{in flight: []}}
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  // expected-remark @+1 {{in flight: [0 open]}}
  ori.wgmma.commit
  ori.bra ^join
^join:
  // expected-remark @+1 {{in flight: [0 closed-1, 1 closed-1]}}
  %q = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  // expected-remark @+1 {{in flight: [0 closed-1, 1 open|closed-1]}}
  ori.wgmma.commit
  // expected-remark @+1 {{in flight: [0 closed-2, 1 closed-1|closed-2]}}
  ori.wgmma.wait <count = 1> : () -> ()
  ori.cond_bra %t, ^join, ^end : !ori.p
^end:
  // expected-remark @+1 {{in flight: [1 closed-1]}}
  ori.wgmma.wait <count = 0> : () -> ()
  ori.exit
}

// A call may close groups, and completes none.
ori.func @unknown() target "sm_90a" attributes {sym_visibility = "private"}

ori.func kernel @calls() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  // expected-remark @+1 {{in flight: []}}
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  // expected-remark @+1 {{in flight: [0 open]}}
  ori.call @unknown() : () -> ()
  // expected-remark @+1 {{in flight: [0 open|closed-1|closed-2|closed-3|closed-4|closed-5|closed-6|closed-7|closed-8]}}
  ori.wgmma.wait <count = 2> : () -> ()
  // expected-remark @+1 {{in flight: [0 open|closed-1|closed-2]}}
  ori.wgmma.fence
  ori.exit
}
