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
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{'test.op' op attribute 'tileas.schedule.resources' refers to slot 30, which machine model 'blackwell' does not have: its 24 slots are numbered up to 24}}
    "test.op"() {tileas.schedule.resources = [array<i32: 30, 2, 1>]} : () -> ()
  }
  return
}

// -----

func.func @slot_zero(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{refers to slot 0, which machine model 'blackwell' does not have}}
    "test.op"() {tileas.schedule.resources = [array<i32: 0, 2, 1>]} : () -> ()
  }
  return
}

// -----

func.func @no_duration(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{attribute 'tileas.schedule.resources' has duration 0, which must be from 1 to 1048576}}
    "test.op"() {tileas.schedule.resources = [array<i32: 7, 0, 1>]} : () -> ()
  }
  return
}

// -----

func.func @negative_duration(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{attribute 'tileas.schedule.resources' has the negative value -3}}
    "test.op"() {tileas.schedule.resources = [array<i32: 7, -3, 1>]} : () -> ()
  }
  return
}

// -----

func.func @two_units(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{attribute 'tileas.schedule.resources' has occupancy 2, which must be from 0 to 1}}
    "test.op"() {tileas.schedule.resources = [array<i32: 7, 1, 2>]} : () -> ()
  }
  return
}

// -----

func.func @long_latency(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{attribute 'tileas.schedule.latency' has latency 2000000, which must be from 0 to 1048576}}
    "test.op"() {tileas.schedule.latency = 2000000 : i32, tileas.schedule.resources = []} : () -> ()
  }
  return
}

// -----

// Costs of operations in branches are read too.
func.func @malformed_in_branch(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    "test.op"() {tileas.schedule.resources = []} : () -> ()
    scf.if %c {
      // expected-error @+1 {{'tileas.schedule.latency' must be a non-negative 32-bit signless integer}}
      "test.op"() {tileas.schedule.latency = "long"} : () -> ()
    }
  }
  return
}

// -----

func.func @contradictory_leaders(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-note @+1 {{a different leader is given here}}
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
    // expected-error @+1 {{'test.op' op attribute 'tileas.schedule.constraint.leader_gid' requires 'tileas.schedule.constraint.gid'}}
    "test.op"() {tileas.schedule.constraint.leader_gid = 1 : i32, tileas.schedule.resources = []} : () -> ()
  }
  return
}

// -----

// An `i64` is not an `i32`, even if its value fits.
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

// Equal values are accepted.
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

// -----

// Each latency is in range, their sum is not.
func.func @long_branch(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{'scf.if' op operation 0: latency exceeds 1048576 cycles}}
    scf.if %c {
      "test.a"() {tileas.schedule.latency = 1000000 : i32, tileas.schedule.resources = []} : () -> ()
      "test.b"() {tileas.schedule.latency = 1000000 : i32, tileas.schedule.resources = []} : () -> ()
    }
  }
  return
}
