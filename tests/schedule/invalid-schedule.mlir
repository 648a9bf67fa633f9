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
    // expected-warning @+1 {{inconsistent leader_gid for group 2: 'test.b' contradicts 'test.a'}}
    "test.b"() {tileas.schedule.constraint.gid = 2 : i32, tileas.schedule.constraint.leader_gid = 1 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : () -> ()
  }
  return
}

// -----

func.func @leader_without_group(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{'test.op' op attribute 'tileas.schedule.constraint.leader_gid' needs 'tileas.schedule.constraint.gid'}}
    "test.op"() {tileas.schedule.constraint.leader_gid = 1 : i32, tileas.schedule.resources = []} : () -> ()
  }
  return
}

// -----

// An `i64` is no `i32`, however small.
func.func @wide_depth(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{'tileas.schedule.constraint.max_depth' must be a non-negative 32-bit signless integer}}
    "test.op"() {tileas.schedule.constraint.max_depth = 1 : i64, tileas.schedule.resources = []} : () -> ()
  }
  return
}

// -----

func.func @negative_leader(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{'tileas.schedule.constraint.leader_gid' must be a non-negative 32-bit signless integer}}
    "test.op"() {tileas.schedule.constraint.gid = 1 : i32, tileas.schedule.constraint.leader_gid = -1 : i32, tileas.schedule.resources = []} : () -> ()
  }
  return
}

// -----

func.func @inherent_and_discardable(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{attribute 'tileas.schedule.constraint.gid' is both inherent and discardable, and differs}}
    "test.op"() <{tileas.schedule.constraint.gid = 1 : i32}> {tileas.schedule.constraint.gid = 2 : i32, tileas.schedule.resources = []} : () -> ()
  }
  return
}

// -----

// Equal ones are one.
func.func @inherent_and_equal(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    "test.op"() <{tileas.schedule.constraint.gid = 1 : i32}> {tileas.schedule.constraint.gid = 1 : i32, tileas.schedule.resources = []} : () -> ()
  }
  return
}

// -----

func.func @atom_of_nothing(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{'tileas.preferred_atom_size' must be a positive 32-bit signless integer}}
    "test.op"() {tileas.preferred_atom_size = 0 : i32, tileas.schedule.resources = []} : () -> ()
  }
  return
}

// -----

func.func @flag_with_a_value(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{'tileas.recomputable' must be a unit attribute}}
    "test.op"() {tileas.recomputable = true, tileas.schedule.resources = []} : () -> ()
  }
  return
}
