// RUN: orison-opt --machine=page --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-verify-schedule %s | FileCheck %s
// RUN: orison-opt --machine=page --allow-unregistered-dialect --split-input-file --tileas-generate-schedule='strategy=serial' --tileas-verify-schedule %s | FileCheck %s --check-prefix=SERIAL
// RUN: orison-opt --machine=page --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --remarks=text -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: [tileas-generate-schedule] Passed modulo-schedule: scheduled 1 operations at II 5 in {{[0-9]+}} stages; ii=5
// REMARK: remark: [tileas-generate-schedule] Missed modulo-schedule: it contains no tile operation; give an operation the attribute tileas.schedule.resources
// REMARK: remark: [tileas-generate-schedule] Missed modulo-schedule: it contains another loop; the loop inside is scheduled

// A value carried through two arguments comes from two iterations ago: latency 9 over distance 2
// allows II = ceil(9 / 2) = 5.
// CHECK-LABEL: @distance_two
// CHECK: ii = 5 : i32, mii = {{.*}}recurrence = 5 : i32
// SERIAL-LABEL: @distance_two
// SERIAL: generator = "serial", ii = 9 : i32
// SERIAL-SAME: stages = 1 : i32
func.func @distance_two(%n: index, %a: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a) -> (i32, i32) {
    %v = "test.op"(%y) {tileas.schedule.latency = 9 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (i32) -> i32
    scf.yield %v, %x : i32, i32
  }
  return
}

// -----

// A loop-invariant value is not a dependence, even if it is carried around the loop.
// CHECK-LABEL: @rotating
// CHECK: ii = 1 : i32, mii = {{.*}}recurrence = 1 : i32
// SERIAL-LABEL: @rotating
func.func @rotating(%n: index, %a: i32, %b: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (i32, i32) {
    "test.op"(%x) {tileas.schedule.latency = 9 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (i32) -> ()
    scf.yield %y, %x : i32, i32
  }
  return
}

// -----

// Operations with unknown effects keep their order within an iteration and across iterations: each
// waits for the one before it, so the default latency of 4 cycles counts twice.
// CHECK-LABEL: @unknown_effects
// CHECK: "test.first"() {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32}
// CHECK: "test.second"() {nv_tile.aws.order = {{[0-9]+}} : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 4 : i32}
// CHECK: ii = 8 : i32, mii = {{.*}}recurrence = 8 : i32
// SERIAL-LABEL: @unknown_effects
func.func @unknown_effects(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "test.first"() : () -> ()
    "test.free"() {tileas.schedule.resources = [array<i32: 7, 1, 1>]} : () -> ()
    "test.second"() : () -> ()
  }
  return
}

// -----

// A loop without tile operations is left unchanged.
// CHECK-LABEL: @no_tiles
// CHECK-NOT: tileas.schedule
// CHECK: return
// SERIAL-LABEL: @no_tiles
// SERIAL-NOT: tileas.schedule
// SERIAL: return
func.func @no_tiles(%n: index, %a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (i32) {
    %v = arith.addi %x, %x : i32
    scf.yield %v : i32
  }
  return %r : i32
}

// -----

// Only the inner of two loops is scheduled.
// CHECK-LABEL: @nested
// CHECK: scf.for
// CHECK: scf.for
// CHECK: tileas.schedule = {
// CHECK-NOT: tileas.schedule =
// CHECK: return
// SERIAL-LABEL: @nested
func.func @nested(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      "test.op"() {tileas.schedule.resources = [array<i32: 7, 1, 1>]} : () -> ()
    }
  }
  return
}

// -----

// force_serial_execution on the loop selects the serial generator; on an operation it keeps the
// operation from overlapping the next one so marked: 5 + 5 cycles of latency.
// CHECK-LABEL: @forced
// CHECK: generator = "serial"
// CHECK-LABEL: @forced_operations
// CHECK: ii = 10 : i32
// SERIAL-LABEL: @forced
func.func @forced(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "test.op"() {tileas.schedule.latency = 5 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : () -> ()
  } {tileas.schedule.constraint.force_serial_execution}
  return
}
func.func @forced_operations(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "test.a"() {tileas.schedule.constraint.force_serial_execution, tileas.schedule.latency = 5 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : () -> ()
    "test.b"() {tileas.schedule.constraint.force_serial_execution, tileas.schedule.latency = 5 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : () -> ()
  }
  return
}
