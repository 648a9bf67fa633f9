// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --tileas-generate-schedule %s

func.func @malformed_latency(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{'tileas.schedule.latency' must be a non-negative 32-bit signless integer}}
    "test.op"() {tileas.schedule.latency = 5 : i64, tileas.schedule.resources = []} : () -> ()
  }
  return
}

// -----

func.func @malformed_resources(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{'tileas.schedule.resources' must be an array of array<i32: slot, duration, occupancy>}}
    "test.op"() {tileas.schedule.resources = [array<i32: 1, 2>]} : () -> ()
  }
  return
}

// -----

func.func @malformed_group(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{'tileas.schedule.constraint.gid' must be a non-negative 32-bit signless integer}}
    "test.op"() {tileas.schedule.constraint.gid = "one", tileas.schedule.resources = []} : () -> ()
  }
  return
}

// -----

func.func @malformed_flag(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{'tileas.schedule.constraint.force_serial_execution' must be a unit attribute}}
    "test.op"() {tileas.schedule.constraint.force_serial_execution = true, tileas.schedule.resources = []} : () -> ()
  }
  return
}

// -----

func.func @unknown_slot(%n: index) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{slot}}
  scf.for %i = %c0 to %n step %n {
    "test.op"() {tileas.schedule.resources = [array<i32: 99, 2, 1>]} : () -> ()
  }
  return
}

// -----

func.func @contradictory_leaders(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-note @+1 {{another leader is given here}}
    "test.a"() {tileas.schedule.constraint.gid = 1 : i32, tileas.schedule.constraint.leader_gid = 2 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : () -> ()
    // expected-warning @+1 {{inconsistent leader_gid for group}}
    "test.b"() {tileas.schedule.constraint.gid = 2 : i32, tileas.schedule.constraint.leader_gid = 1 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : () -> ()
  }
  return
}
