// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s

// A branch costs what the operations in it cost, one after the other, with their attributes: here a
// latency of 8 and slot 2 for 8 cycles. The cycle through the loop takes 16 + 8 cycles.
// CHECK-LABEL: @one_arm
// CHECK: ii = 24 : i32
// CHECK-SAME: recurrence = 24 : i32, resource = 8 : i32, self = 8 : i32
func.func @one_arm(%n: index, %a: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (i32) {
    %v = "test.op"(%x) {tileas.schedule.latency = 16 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (i32) -> i32
    %m = scf.if %c -> (i32) {
      %e = "test.nested"(%v) {tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 2, 8, 1>]} : (i32) -> i32
      scf.yield %e : i32
    } else {
      scf.yield %v : i32
    }
    scf.yield %m : i32
  }
  return
}

// -----

// Both arms count: 8 + 4 cycles.
// CHECK-LABEL: @two_arms
// CHECK: ii = 28 : i32
// CHECK-SAME: recurrence = 28 : i32, resource = 12 : i32, self = 12 : i32
func.func @two_arms(%n: index, %a: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (i32) {
    %v = "test.op"(%x) {tileas.schedule.latency = 16 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (i32) -> i32
    %m = scf.if %c -> (i32) {
      %e = "test.nested"(%v) {tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 2, 8, 1>]} : (i32) -> i32
      scf.yield %e : i32
    } else {
      %e = "test.nested"(%v) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 2, 4, 1>]} : (i32) -> i32
      scf.yield %e : i32
    }
    scf.yield %m : i32
  }
  return
}

// -----

// The attributes of the branch itself override the costs of its contents.
// CHECK-LABEL: @replaced
// CHECK: ii = 19 : i32
// CHECK-SAME: recurrence = 19 : i32, resource = 2 : i32, self = 2 : i32
func.func @replaced(%n: index, %a: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (i32) {
    %v = "test.op"(%x) {tileas.schedule.latency = 16 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (i32) -> i32
    %m = scf.if %c -> (i32) {
      %e = "test.nested"(%v) {tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 2, 8, 1>]} : (i32) -> i32
      scf.yield %e : i32
    } else {
      scf.yield %v : i32
    } {tileas.schedule.latency = 3 : i32, tileas.schedule.resources = [array<i32: 2, 2, 1>]}
    scf.yield %m : i32
  }
  return
}
