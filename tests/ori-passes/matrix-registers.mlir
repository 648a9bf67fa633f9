// RUN: orison-opt --ori-print-analysis=kind=accumulators %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:
//
// The registers of products of warp groups: what register allocation must give, and until where.

// CHECK: remark: accumulators and factors: 8 registers together, at least 30 for one product, of 255; the first is R24, 2 are kept free; they fit
// CHECK: remark: product of 4 registers, 4 live; alone it fits
// CHECK: %p = ori.wgmma.mma
// CHECK: remark: product of 4 registers, 8 live; alone it fits
// CHECK: %q = ori.wgmma.mma
// CHECK: remark: stage of 8 registers: fits
// CHECK: ori.wgmma.wait
// CHECK: remark: stage of 8 registers: fits
// CHECK: ori.wgmma.fence
// CHECK: remark: accumulator 0 of 4 registers starts
// CHECK: ori.wgmma.fence
// CHECK: remark: accumulator 0 of 4 registers may end
// CHECK: ori.wgmma.wait
// CHECK: remark: accumulator 1 of 4 registers starts
// CHECK: remark: accumulator 1 of 4 registers may end
ori.func kernel @two() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  %q = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %a : (!ori.r64, !ori.r64) -> !ori.acc<4>
  ori.wgmma.commit
  ori.wgmma.wait <count = 0> : () -> ()
  %x = ori.extract %p[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1024], %x : (!ori.r64, !ori.r) -> ()
  %y = ori.extract %q[0] : (!ori.acc<4>) -> !ori.r
  ori.stg <b32> [%a + 1032], %y : (!ori.r64, !ori.r) -> ()
  ori.exit
}

// `.maxnreg 29` is less than one product needs, and than a function.
// CHECK: remark: accumulators and factors: 4 registers together, at least 30 for one product, of 29; {{.*}}; 7512: those that live together do not fit
// CHECK: remark: product of 4 registers, 4 live; alone it 7602: does not fit
// CHECK: remark: stage of 4 registers: fits
// CHECK: ori.wgmma.fence
// CHECK: remark: accumulator 0 of 4 registers starts
ori.func kernel @few() target "sm_90a" attributes {max_registers = 29 : i32} {
  %d = ori.cbank[0, 528] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<4>
  ori.wgmma.commit
  ori.exit
}

// A stage of 256 registers.
// CHECK: remark: accumulators and factors: 256 registers together, {{.*}} of 255; {{.*}}; 7511: a stage does not fit
// CHECK: remark: product of 128 registers, 128 live; alone it fits
// CHECK: remark: product of 128 registers, 256 live; alone it fits
// CHECK: remark: stage of 256 registers: does not fit
// CHECK: ori.wgmma.fence
// CHECK: remark: accumulator 0 of 128 registers starts
// CHECK: remark: accumulator 1 of 128 registers starts
ori.func kernel @large() target "sm_90a" {
  %d = ori.cbank[0, 528] : !ori.r64
  %a = ori.cbank[0, 536] : !ori.r64
  ori.wgmma.fence
  %p = ori.wgmma.mma <columns = 256, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %d : (!ori.r64, !ori.r64) -> !ori.acc<128>
  %q = ori.wgmma.mma <columns = 256, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %d, %a : (!ori.r64, !ori.r64) -> !ori.acc<128>
  ori.wgmma.commit
  ori.exit
}

// A function without products has no registers of products.
ori.func @none() target "sm_90a" {
  ori.exit
}
