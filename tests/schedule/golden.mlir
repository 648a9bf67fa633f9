// RUN: orison-opt --allow-unregistered-dialect --tileas-generate-schedule --tileas-verify-schedule %s | FileCheck %s

// The golden schedules of the TileAS reference, section 4.8. Slots: 12 tma, 16 tp_smem_wr,
// 11 tc_and_mma, 19 tp_mma, 15 tp_smem_rd. Every operation names its resources, so that what is
// tested is the scheduler and not the machine model.

// The page's four operations. The load and the write both hold tp_smem_wr, for 8 and 7 cycles, in
// every iteration, whatever their stages: so II = 8 + 7 = 15, and not the page's 8. The load's
// result is available after 8 cycles, when write and read start.
// CHECK-LABEL: @four
// CHECK: "test.load"() {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32
// CHECK: "test.write"() {nv_tile.aws.order = 2 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 8 : i32
// CHECK: "test.mma"() {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32
// CHECK: "test.read"(%{{.*}}) {nv_tile.aws.order = 3 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 8 : i32
// CHECK: tileas.schedule = {generator = "{{[a-z-]+}}", ii = 15 : i32, mii = {dependency = 1 : i32, fine = 1 : i32, recurrence = 1 : i32, resource = 15 : i32, self = 8 : i32}, proven = true, stages = 1 : i32}
func.func @four(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = "test.load"() {tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 12, 8, 1>, array<i32: 16, 8, 1>]} : () -> i32
    "test.write"() {tileas.schedule.latency = 7 : i32, tileas.schedule.resources = [array<i32: 16, 7, 1>]} : () -> ()
    "test.mma"() {tileas.schedule.latency = 16 : i32, tileas.schedule.resources = [array<i32: 11, 8, 1>, array<i32: 19, 8, 1>]} : () -> ()
    "test.read"(%t) {tileas.schedule.latency = 7 : i32, tileas.schedule.resources = [array<i32: 15, 7, 1>]} : (i32) -> ()
  }
  return
}

// Without the write nothing conflicts at II = 8: the read follows its load in the next stage.
// CHECK-LABEL: @three
// CHECK: "test.load"() {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32
// CHECK: "test.mma"() {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32
// CHECK: "test.read"(%{{.*}}) {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 1 : i32, tileas.schedule.cycle = 8 : i32
// CHECK: ii = 8 : i32, mii = {dependency = 1 : i32, fine = 1 : i32, recurrence = 1 : i32, resource = 8 : i32, self = 8 : i32}, proven = true, stages = 2 : i32
func.func @three(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = "test.load"() {tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 12, 8, 1>, array<i32: 16, 8, 1>]} : () -> i32
    "test.mma"() {tileas.schedule.latency = 16 : i32, tileas.schedule.resources = [array<i32: 11, 8, 1>, array<i32: 19, 8, 1>]} : () -> ()
    "test.read"(%t) {tileas.schedule.latency = 7 : i32, tileas.schedule.resources = [array<i32: 15, 7, 1>]} : (i32) -> ()
  }
  return
}

// The product uses the result of the read: load 0, read 8, product 8 + 7 = 15, which is stage 1.
// CHECK-LABEL: @chain
// CHECK: "test.load"() {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32
// CHECK: "test.read"(%{{.*}}) {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 1 : i32, tileas.schedule.cycle = 8 : i32
// CHECK: "test.mma"(%{{.*}}) {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 1 : i32, tileas.schedule.cycle = 15 : i32
// CHECK: ii = 8 : i32, mii = {dependency = 1 : i32, fine = 1 : i32, recurrence = 1 : i32, resource = 8 : i32, self = 8 : i32}, proven = true, stages = 2 : i32
func.func @chain(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = "test.load"() {tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 12, 8, 1>, array<i32: 16, 8, 1>]} : () -> i32
    %r = "test.read"(%t) {tileas.schedule.latency = 7 : i32, tileas.schedule.resources = [array<i32: 15, 7, 1>]} : (i32) -> i32
    "test.mma"(%r) {tileas.schedule.latency = 16 : i32, tileas.schedule.resources = [array<i32: 11, 8, 1>, array<i32: 19, 8, 1>]} : (i32) -> ()
  }
  return
}

// Two loads of 8 cycles on one slot, and an accumulator that is ready 16 cycles later: both bounds
// are 16. The product starts when both tiles are loaded, 8 + 8, which is the next stage.
// CHECK-LABEL: @gemm
// CHECK: "test.load"() {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32
// CHECK: "test.load"() {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 8 : i32
// CHECK: "test.mma"(%{{.*}}) {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 1 : i32, tileas.schedule.cycle = 16 : i32
// CHECK: ii = 16 : i32, mii = {dependency = 1 : i32, fine = 1 : i32, recurrence = 16 : i32, resource = 16 : i32, self = 8 : i32}, proven = true, stages = 2 : i32
func.func @gemm(%n: index, %zero: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    %a = "test.load"() {tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 12, 8, 1>, array<i32: 16, 8, 1>]} : () -> i32
    %b = "test.load"() {tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 12, 8, 1>, array<i32: 16, 8, 1>]} : () -> i32
    %d = "test.mma"(%a, %b, %acc) {tileas.schedule.latency = 16 : i32, tileas.schedule.resources = [array<i32: 11, 8, 1>, array<i32: 19, 8, 1>]} : (i32, i32, f32) -> f32
    scf.yield %d : f32
  }
  return %r : f32
}

// The same with an accumulator that takes 20 cycles: the recurrence is the bound, and at II = 20 the
// product at cycle 16 is still in stage 0.
// CHECK-LABEL: @slow_accumulator
// CHECK: "test.load"() {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32
// CHECK: "test.load"() {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 8 : i32
// CHECK: "test.mma"(%{{.*}}) {nv_tile.aws.order = 2 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 16 : i32
// CHECK: ii = 20 : i32, mii = {dependency = 1 : i32, fine = 1 : i32, recurrence = 20 : i32, resource = 16 : i32, self = 8 : i32}, proven = true, stages = 1 : i32
func.func @slow_accumulator(%n: index, %zero: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    %a = "test.load"() {tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 12, 8, 1>, array<i32: 16, 8, 1>]} : () -> i32
    %b = "test.load"() {tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 12, 8, 1>, array<i32: 16, 8, 1>]} : () -> i32
    %d = "test.mma"(%a, %b, %acc) {tileas.schedule.latency = 20 : i32, tileas.schedule.resources = [array<i32: 11, 8, 1>, array<i32: 19, 8, 1>]} : (i32, i32, f32) -> f32
    scf.yield %d : f32
  }
  return %r : f32
}
