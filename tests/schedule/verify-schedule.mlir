// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --tileas-verify-schedule %s

// A schedule from the scheduler is accepted.
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

// -----

// The cycle through the loop takes the 16 cycles of the operation and the 8 in the branch: an II of 24
// suffices, 20 does not.
func.func @branch(%n: index, %a: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %r = scf.for %i = %c0 to %n step %n iter_args(%x = %a) -> (i32) {
    %v = "test.op"(%x) {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 16 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (i32) -> i32
    %m = scf.if %c -> (i32) {
      %e = "test.nested"(%v) {tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 2, 8, 1>]} : (i32) -> i32
      scf.yield %e : i32
    } else {
      scf.yield %v : i32
    } {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 16 : i32}
    scf.yield %m : i32
  } {tileas.schedule = {ii = 24 : i32, stages = 1 : i32}}
  return
}

// -----

func.func @branch_too_early(%n: index, %a: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{schedule is not valid: operation 0 must start at least -12 cycles after operation 1 (latency 8, distance 1, LoopCarried), but starts -16 cycles after it}}
  %r = scf.for %i = %c0 to %n step %n iter_args(%x = %a) -> (i32) {
    // expected-note @+1 {{operation 0 is here}}
    %v = "test.op"(%x) {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 16 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (i32) -> i32
    // expected-note @+1 {{operation 1 is here}}
    %m = scf.if %c -> (i32) {
      %e = "test.nested"(%v) {tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 2, 8, 1>]} : (i32) -> i32
      scf.yield %e : i32
    } else {
      scf.yield %v : i32
    } {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 16 : i32}
    scf.yield %m : i32
  } {tileas.schedule = {ii = 20 : i32, stages = 1 : i32}}
  return
}

// -----

// An unknown operation in a branch may access memory that the load reads: their order is kept.
nv_tileaa.func @unknown_in_branch(%p: !nv_tileaa.memref<?x?xf16>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  // expected-error @+1 {{schedule is not valid: operation 1 must start at least}}
  scf.for %i = %c0 to %n step %n {
    // expected-note @+1 {{operation 0 is here}}
    scf.if %c {
      "test.unknown"() ({
        "test.done"() {tileas.schedule.resources = []} : () -> ()
      }) : () -> ()
    } {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 5 : i32}
    // expected-note @+1 {{operation 1 is here}}
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"ldg_128">, in_bounds = array<i1: true, true>, nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 1 : i32} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
  } {tileas.schedule = {ii = 5000 : i32, stages = 1 : i32}}
  nv_tileaa.return
}

// -----

// The operations of a branch hold the slot in sequence, in cycles 0 to 3.
func.func @branch(%n: index, %b: i1) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    scf.if %b {
      "test.a"() {tileas.schedule.latency = 2 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>]} : () -> ()
      "test.b"() {tileas.schedule.latency = 2 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>]} : () -> ()
    } {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32}
    "test.c"() {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 4 : i32, tileas.schedule.latency = 2 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>]} : () -> ()
  } {tileas.schedule = {ii = 6 : i32, stages = 1 : i32}}
  return
}

// -----

func.func @branch_too_late(%n: index, %b: i1) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{operations 0 and 1 both hold dual_alu in row 3}}
  scf.for %i = %c0 to %n step %n {
    // expected-note @+1 {{operation 0 is here}}
    scf.if %b {
      "test.a"() {tileas.schedule.latency = 2 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>]} : () -> ()
      "test.b"() {tileas.schedule.latency = 2 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>]} : () -> ()
    } {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32}
    // expected-note @+1 {{operation 1 is here}}
    "test.c"() {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 3 : i32, tileas.schedule.latency = 2 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>]} : () -> ()
  } {tileas.schedule = {ii = 6 : i32, stages = 1 : i32}}
  return
}
