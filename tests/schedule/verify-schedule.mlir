// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --tileas-verify-schedule %s

// What the scheduler made is accepted.
func.func @valid(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    %a = "test.a"() {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 3 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>]} : () -> i32
    "test.b"(%a) {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 3 : i32, tileas.schedule.latency = 3 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>]} : (i32) -> ()
  } {tileas.schedule = {ii = 5 : i32, stages = 1 : i32}}
  return
}

// -----

// The second reads the first one's result a cycle too early.
func.func @dependence(%n: index) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{schedule is not valid}}
  scf.for %i = %c0 to %n step %n {
    // expected-note @+1 {{operation 0 is here}}
    %a = "test.a"() {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 3 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>]} : () -> i32
    // expected-note @+1 {{operation 1 is here}}
    "test.b"(%a) {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 2 : i32, tileas.schedule.latency = 3 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>]} : (i32) -> ()
  } {tileas.schedule = {ii = 5 : i32, stages = 1 : i32}}
  return
}

// -----

// At II = 4 the second operation's slot is still held by the next iteration's first one.
func.func @modulo_conflict(%n: index) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{dual_alu}}
  scf.for %i = %c0 to %n step %n {
    // expected-note @+1 {{operation 0 is here}}
    %a = "test.a"() {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 3 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>]} : () -> i32
    // expected-note @+1 {{operation 1 is here}}
    "test.b"(%a) {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 3 : i32, tileas.schedule.latency = 3 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>]} : (i32) -> ()
  } {tileas.schedule = {ii = 4 : i32, stages = 1 : i32}}
  return
}

// -----

// A carried value is ready only in the iteration after the next.
func.func @carried(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{schedule is not valid}}
  %r = scf.for %i = %c0 to %n step %n iter_args(%v = %x) -> (i32) {
    // expected-note @+1 {{operation 0 is here}}
    %a = "test.a"(%v) {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 7 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>]} : (i32) -> i32
    scf.yield %a : i32
  } {tileas.schedule = {ii = 6 : i32, stages = 1 : i32}}
  return
}

// -----

func.func @missing(%n: index) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{cleanup pass invalidated ScheduleAnalysis; rerun constraint generation or remove the pass}}
  scf.for %i = %c0 to %n step %n {
    // expected-error @+1 {{is in a scheduled loop but has no i32 attribute 'nv_tile.aws.order'}}
    "test.a"() {nv_tile.aws.order = 0 : i64, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.resources = []} : () -> ()
  } {tileas.schedule = {ii = 6 : i32, stages = 1 : i32}}
  return
}

// -----

func.func @summary(%n: index) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'tileas.schedule' must be a dictionary with a positive i32 'ii'}}
  scf.for %i = %c0 to %n step %n {
    "test.a"() {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.resources = []} : () -> ()
  } {tileas.schedule = {ii = 0 : i32, stages = 1 : i32}}
  return
}

// -----

func.func @wrong_stage(%n: index) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{stage}}
  scf.for %i = %c0 to %n step %n {
    // expected-note @+1 {{operation 0 is here}}
    "test.a"() {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 1 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : () -> ()
  } {tileas.schedule = {ii = 6 : i32, stages = 2 : i32}}
  return
}
