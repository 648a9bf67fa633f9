// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics --tileas-verify-schedule %s

// Schedules that break an order which only effects, regions or several loop arguments tell. Each has a
// counterpart without an expected error in which the same accesses are a cycle later, or unordered.

func.func @copies(%n: index, %x: tensor<8xf32>, %v: !nv_tileas.tiled_view<8xf32, smem>) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    nv_tileas.copy %x to %v {atom = #nv_tileas.atom<"sts">, nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 20 : i32} : tensor<8xf32> to !nv_tileas.tiled_view<8xf32, smem>
    nv_tileas.copy %x to %v {atom = #nv_tileas.atom<"sts">, nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 20 : i32, tileas.schedule.latency = 20 : i32} : tensor<8xf32> to !nv_tileas.tiled_view<8xf32, smem>
  } {tileas.schedule = {ii = 40 : i32, stages = 1 : i32}}
  return
}

// -----

func.func @copies_early(%n: index, %x: tensor<8xf32>, %v: !nv_tileas.tiled_view<8xf32, smem>) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{operation 1 must start at least 20 cycles after operation 0 (latency 20, distance 0, Memory), but starts 19 cycles after it}}
  scf.for %i = %c0 to %n step %n {
    // expected-note @+1 {{operation 0 is here}}
    nv_tileas.copy %x to %v {atom = #nv_tileas.atom<"sts">, nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 20 : i32} : tensor<8xf32> to !nv_tileas.tiled_view<8xf32, smem>
    // expected-note @+1 {{operation 1 is here}}
    nv_tileas.copy %x to %v {atom = #nv_tileas.atom<"sts">, nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 19 : i32, tileas.schedule.latency = 20 : i32} : tensor<8xf32> to !nv_tileas.tiled_view<8xf32, smem>
  } {tileas.schedule = {ii = 40 : i32, stages = 1 : i32}}
  return
}

// -----

// The second copy of an iteration completes before the first copy of the next.
func.func @copies_of_two_iterations(%n: index, %x: tensor<8xf32>, %v: !nv_tileas.tiled_view<8xf32, smem>) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{operation 0 must start at least -19 cycles after operation 1 (latency 20, distance 1, Memory), but starts -20 cycles after it}}
  scf.for %i = %c0 to %n step %n {
    // expected-note @+1 {{operation 0 is here}}
    nv_tileas.copy %x to %v {atom = #nv_tileas.atom<"sts">, nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 20 : i32} : tensor<8xf32> to !nv_tileas.tiled_view<8xf32, smem>
    // expected-note @+1 {{operation 1 is here}}
    nv_tileas.copy %x to %v {atom = #nv_tileas.atom<"sts">, nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 20 : i32, tileas.schedule.latency = 20 : i32} : tensor<8xf32> to !nv_tileas.tiled_view<8xf32, smem>
  } {tileas.schedule = {ii = 39 : i32, stages = 1 : i32}}
  return
}

// -----

// Both declare tokens and have none: they are in no order.
func.func @stores_with_tokens_only(%n: index, %p: !nv_tileaa.ptr<f32>, %f: f32) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    nv_tileas.store %p, %f {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 20 : i32} : !nv_tileaa.ptr<f32>, f32
    nv_tileas.store %p, %f {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 7 : i32, tileas.schedule.latency = 20 : i32} : !nv_tileaa.ptr<f32>, f32
  } {tileas.schedule = {ii = 40 : i32, stages = 1 : i32}}
  return
}

// -----

// Only the store is ordered by tokens.
func.func @copy_and_store(%n: index, %x: tensor<8xf32>, %v: !nv_tileas.tiled_view<8xf32, smem>, %p: !nv_tileaa.ptr<f32>, %f: f32) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{operation 1 must start at least 20 cycles after operation 0 (latency 20, distance 0, Memory), but starts 19 cycles after it}}
  scf.for %i = %c0 to %n step %n {
    // expected-note @+1 {{operation 0 is here}}
    nv_tileas.copy %x to %v {atom = #nv_tileas.atom<"sts">, nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 20 : i32} : tensor<8xf32> to !nv_tileas.tiled_view<8xf32, smem>
    // expected-note @+1 {{operation 1 is here}}
    nv_tileas.store %p, %f {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 19 : i32, tileas.schedule.latency = 20 : i32} : !nv_tileaa.ptr<f32>, f32
  } {tileas.schedule = {ii = 50 : i32, stages = 1 : i32}}
  return
}

// -----

func.func @acquire(%n: index, %p: !nv_tileaa.ptr<f32>, %f: f32) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{operation 1 must start at least 20 cycles after operation 0 (latency 20, distance 0, Memory), but starts 19 cycles after it}}
  scf.for %i = %c0 to %n step %n {
    // expected-note @+1 {{operation 0 is here}}
    %a = nv_tileas.load %p {mem_semantic = "acquire", mem_scope = "gpu", nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 20 : i32} : !nv_tileaa.ptr<f32> -> f32
    // expected-note @+1 {{operation 1 is here}}
    %b = nv_tileas.load %p {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 19 : i32, tileas.schedule.latency = 2 : i32} : !nv_tileaa.ptr<f32> -> f32
  } {tileas.schedule = {ii = 40 : i32, stages = 1 : i32}}
  return
}

// -----

func.func @loads(%n: index, %p: !nv_tileaa.ptr<f32>, %f: f32) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    %a = nv_tileas.load %p {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 20 : i32} : !nv_tileaa.ptr<f32> -> f32
    %b = nv_tileas.load %p {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 19 : i32, tileas.schedule.latency = 2 : i32} : !nv_tileaa.ptr<f32> -> f32
  } {tileas.schedule = {ii = 40 : i32, stages = 1 : i32}}
  return
}

// -----

func.func @release(%n: index, %p: !nv_tileaa.ptr<f32>, %f: f32) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{operation 1 must start at least 20 cycles after operation 0 (latency 20, distance 0, Memory), but starts 19 cycles after it}}
  scf.for %i = %c0 to %n step %n {
    // expected-note @+1 {{operation 0 is here}}
    nv_tileas.store %p, %f {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 20 : i32} : !nv_tileaa.ptr<f32>, f32
    // expected-note @+1 {{operation 1 is here}}
    nv_tileas.store %p, %f {mem_semantic = "release", mem_scope = "gpu", nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 19 : i32, tileas.schedule.latency = 2 : i32} : !nv_tileaa.ptr<f32>, f32
  } {tileas.schedule = {ii = 40 : i32, stages = 1 : i32}}
  return
}

// -----

// A load must only have started.
func.func @load_before_release(%n: index, %p: !nv_tileaa.ptr<f32>, %f: f32) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{operation 1 must start at least 1 cycles after operation 0 (latency 1, distance 0, Memory), but starts -8 cycles after it}}
  scf.for %i = %c0 to %n step %n {
    // expected-note @+1 {{operation 0 is here}}
    %a = nv_tileas.load %p {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 8 : i32, tileas.schedule.latency = 20 : i32} : !nv_tileaa.ptr<f32> -> f32
    // expected-note @+1 {{operation 1 is here}}
    nv_tileas.store %p, %f {mem_semantic = "release", mem_scope = "gpu", nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 2 : i32} : !nv_tileaa.ptr<f32>, f32
  } {tileas.schedule = {ii = 40 : i32, stages = 1 : i32}}
  return
}

// -----

// A nested operation reads what the first one computes.
func.func @nested(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{operation 1 must start at least 30 cycles after operation 0 (latency 30, distance 0, Data), but starts 29 cycles after it}}
  scf.for %i = %c0 to %n step %n {
    // expected-note @+1 {{operation 0 is here}}
    %a = "test.a"() {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 30 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : () -> i32
    // expected-note @+1 {{operation 1 is here}}
    scf.if %c {
      "test.b"(%a) {tileas.schedule.latency = 1 : i32, tileas.schedule.resources = [array<i32: 5, 1, 1>]} : (i32) -> ()
    } {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 29 : i32}
  } {tileas.schedule = {ii = 40 : i32, stages = 1 : i32}}
  return
}

// -----

// A value that leaves a region is that of the operation around it.
func.func @result_of_a_region(%n: index, %c: i1, %x: i32) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{operation 1 must start at least 30 cycles after operation 0 (latency 30, distance 0, Data), but starts 29 cycles after it}}
  scf.for %i = %c0 to %n step %n {
    // expected-note @+1 {{operation 0 is here}}
    %b = scf.if %c -> (i32) {
      %a = "test.a"() {tileas.schedule.latency = 30 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : () -> i32
      scf.yield %a : i32
    } else {
      scf.yield %x : i32
    } {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 30 : i32}
    // expected-note @+1 {{operation 1 is here}}
    "test.b"(%b) {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 29 : i32, tileas.schedule.latency = 1 : i32, tileas.schedule.resources = [array<i32: 5, 1, 1>]} : (i32) -> ()
  } {tileas.schedule = {ii = 40 : i32, stages = 1 : i32}}
  return
}

// -----

// Two loop arguments carry the value: 30 cycles are two intervals.
func.func @two_iterations_15(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %r:2 = scf.for %i = %c0 to %n step %n iter_args(%v = %x, %w = %x) -> (i32, i32) {
    %a = "test.a"(%w) {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 30 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>]} : (i32) -> i32
    scf.yield %a, %v : i32, i32
  } {tileas.schedule = {ii = 15 : i32, stages = 1 : i32}}
  return
}

// -----

func.func @two_iterations_14(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{operation 0 must start at least 2 cycles after operation 0 (latency 30, distance 2, LoopCarried), but starts 0 cycles after it}}
  %r:2 = scf.for %i = %c0 to %n step %n iter_args(%v = %x, %w = %x) -> (i32, i32) {
    // expected-note @+1 {{operation 0 is here}}
    %a = "test.a"(%w) {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = 0 : i32, tileas.schedule.latency = 30 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>]} : (i32) -> i32
    scf.yield %a, %v : i32, i32
  } {tileas.schedule = {ii = 14 : i32, stages = 1 : i32}}
  return
}
