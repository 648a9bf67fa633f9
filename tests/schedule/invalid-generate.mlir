// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --tileas-generate-schedule='strategy=cost-based max-ii=8' %s

// An explicit strategy that finds no schedule up to the limit is an error with the reason.

// A recurrence of 20 cycles of latency over two iterations.
func.func @recurrence(%n: index, %a: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op failed to find a schedule: positive dependence cycle at II 8: the recurrences need 10 cycles}}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a) -> (i32, i32) {
    %v = "test.op"(%y) {tileas.schedule.latency = 20 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (i32) -> i32
    scf.yield %v, %x : i32, i32
  }
  return
}

// -----

func.func @hold(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{failed to find a schedule: op footprint self-conflicts at II 8: operation 1 holds tma for 9 cycles}}
  scf.for %i = %c0 to %n step %c1 {
    "test.short"() {tileas.schedule.latency = 9 : i32, tileas.schedule.resources = [array<i32: 12, 2, 1>]} : () -> ()
    "test.long"() {tileas.schedule.latency = 9 : i32, tileas.schedule.resources = [array<i32: 12, 9, 1>]} : () -> ()
  }
  return
}

// -----

// 5 + 5 cycles of one slot.
func.func @resources(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{failed to find a schedule: modulo scheduler returned no feasible II (tried up to 8)}}
  scf.for %i = %c0 to %n step %c1 {
    "test.a"() {tileas.schedule.latency = 5 : i32, tileas.schedule.resources = [array<i32: 7, 5, 1>]} : () -> ()
    "test.b"() {tileas.schedule.latency = 5 : i32, tileas.schedule.resources = [array<i32: 7, 5, 1>]} : () -> ()
  }
  return
}
