// RUN: orison-opt --machine=page --allow-unregistered-dialect --tileas-generate-schedule='strategy=cost-based' --tileas-verify-schedule %s | FileCheck %s

// The order of accesses to memory that values do not tell. Latencies are given, so that each start
// cycle and each interval follows from the dependences alone.

!view = !nv_tileas.tiled_view<8xf32, smem>

// A copy declares no token: the second one starts when the first has completed, and the first one of
// the next iteration when the second has.
// CHECK-LABEL: @copies
// CHECK: nv_tileas.copy {{.*}}tileas.schedule.cycle = 0 : i32
// CHECK: nv_tileas.copy {{.*}}tileas.schedule.cycle = 20 : i32
// CHECK: ii = 50 : i32
func.func @copies(%n: index, %x: tensor<8xf32>, %y: tensor<8xf32>, %v: !view) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    nv_tileas.copy %x to %v {atom = #nv_tileas.atom<"sts">, tileas.schedule.latency = 20 : i32} : tensor<8xf32> to !view
    nv_tileas.copy %y to %v {atom = #nv_tileas.atom<"sts">, tileas.schedule.latency = 30 : i32} : tensor<8xf32> to !view
  }
  return
}

// A single access has no other to wait for but its own of the iteration before.
// CHECK-LABEL: @one_copy
// CHECK: ii = 20 : i32
func.func @one_copy(%n: index, %x: tensor<8xf32>, %v: !view) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    nv_tileas.copy %x to %v {atom = #nv_tileas.atom<"sts">, tileas.schedule.latency = 20 : i32} : tensor<8xf32> to !view
  }
  return
}

// Loads and stores declare tokens, and these have none: they are in no order. The copy is ordered with
// the store, though the store has tokens, and completes first.
// CHECK-LABEL: @tokens_of_one
// CHECK: nv_tileas.copy {{.*}}tileas.schedule.cycle = 0 : i32
// CHECK: nv_tileas.store {{.*}}tileas.schedule.cycle = 20 : i32
// CHECK: ii = 50 : i32
func.func @tokens_of_one(%n: index, %x: tensor<8xf32>, %v: !view, %p: !nv_tileaa.ptr<f32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    nv_tileas.copy %x to %v {atom = #nv_tileas.atom<"sts">, tileas.schedule.latency = 20 : i32} : tensor<8xf32> to !view
    nv_tileas.store %p, %f {tileas.schedule.latency = 30 : i32} : !nv_tileaa.ptr<f32>, f32
  }
  return
}

// Nothing moves before the acquire, not even the acquire of the next iteration: the interval is 40. The
// load after it starts when the acquire has completed and its transport, held in rows 0 to 6, is free.
// CHECK-LABEL: @acquire
// CHECK: nv_tileas.load {{.*}}tileas.schedule.cycle = 0 : i32
// CHECK: nv_tileas.load {{.*}}tileas.schedule.cycle = 47 : i32
// CHECK: ii = 40 : i32
func.func @acquire(%n: index, %p: !nv_tileaa.ptr<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = nv_tileas.load %p {mem_semantic = "acquire", mem_scope = "gpu", tileas.schedule.latency = 40 : i32} : !nv_tileaa.ptr<f32> -> f32
    %b = nv_tileas.load %p {tileas.schedule.latency = 2 : i32} : !nv_tileaa.ptr<f32> -> f32
  }
  return
}

// Nothing moves after the release: the store before it has completed after 40 cycles. Each holds its
// transport for 7 of the 14 cycles of an interval, so the release starts in row 7: at cycle 49.
// CHECK-LABEL: @release
// CHECK: nv_tileas.store {{.*}}tileas.schedule.cycle = 0 : i32
// CHECK: nv_tileas.store {{.*}}tileas.schedule.cycle = 49 : i32
// CHECK: ii = 14 : i32
func.func @release(%n: index, %p: !nv_tileaa.ptr<f32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    nv_tileas.store %p, %f {tileas.schedule.latency = 40 : i32} : !nv_tileaa.ptr<f32>, f32
    nv_tileas.store %p, %f {mem_semantic = "release", mem_scope = "gpu", tileas.schedule.latency = 2 : i32} : !nv_tileaa.ptr<f32>, f32
  }
  return
}

// The branch reads in its region what the first operation computes.
// CHECK-LABEL: @nested_read
// CHECK: "test.a"() {{.*}}tileas.schedule.cycle = 0 : i32
// CHECK: scf.if
// CHECK: nv_tile.aws.stage = {{[0-9]+}} : i32, tileas.schedule.cycle = 30 : i32
func.func @nested_read(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = "test.a"() {tileas.schedule.latency = 30 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>]} : () -> i32
    scf.if %c {
      "test.b"(%a) {tileas.schedule.latency = 1 : i32, tileas.schedule.resources = [array<i32: 5, 1, 1>]} : (i32) -> ()
    }
  }
  return
}

// Two loop arguments carry the value: it is read two iterations later, so that 30 cycles are two
// intervals.
// CHECK-LABEL: @two_iterations
// CHECK: ii = 15 : i32
func.func @two_iterations(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x, %w = %x) -> (i32, i32) {
    %a = "test.a"(%w) {tileas.schedule.latency = 30 : i32, tileas.schedule.resources = [array<i32: 7, 2, 1>]} : (i32) -> i32
    scf.yield %a, %v : i32, i32
  }
  return
}

// A call may do anything: the load after it waits, though its order is otherwise told by tokens.
// CHECK-LABEL: @call
// CHECK: call @anything() {{.*}}tileas.schedule.cycle = 0 : i32
// CHECK: nv_tileas.load {{.*}}tileas.schedule.cycle = 20 : i32
func.func private @anything()
func.func @call(%n: index, %p: !nv_tileaa.ptr<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @anything() {tileas.schedule.latency = 20 : i32} : () -> ()
    %a = nv_tileas.load %p {tileas.schedule.latency = 2 : i32} : !nv_tileaa.ptr<f32> -> f32
  }
  return
}
