// RUN: orison-interpret %s --entry two_slots --tiles 16 --timed --machine=hopper | FileCheck %s
// RUN: orison-interpret %s --entry two_slots --tiles 16 --timed=json --machine=hopper | FileCheck %s --check-prefix=JSON
// RUN: orison-interpret %s --entry two_slots --tiles 16 --timed --check-interval=0 --timed-trace-file=%t.json
// RUN: FileCheck %s --check-prefix=TRACE --input-file=%t.json
// RUN: orison-interpret %s --entry one_slot --tiles 16 --timed --timed-trace-file=%t.json
// RUN: FileCheck %s --check-prefix=ITERATIONS --input-file=%t.json
// RUN: not orison-interpret %s --entry one_slot --tiles 16 --timed --check-interval=39 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: orison-interpret %s --entry one_slot --tiles 16 --timed --check-interval=41
// RUN: not orison-interpret %s --entry one_slot --tiles 3 --timed --check-interval=99 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not orison-interpret %s --entry nothing --timed --check-interval=99 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not orison-interpret %s --entry nothing --timed --machine=hoper 2>&1 | FileCheck %s --check-prefix=MACHINE
// RUN: not orison-interpret %s --entry nothing --check-interval=10 2>&1 | FileCheck %s --check-prefix=NEEDS
// RUN: not orison-interpret %s --entry nothing --timed --timed-trace-file=%t.missing/x.json 2>&1 | FileCheck %s --check-prefix=UNWRITTEN

// A producer fills a stage in 10 cycles, a consumer reads it in 4; barriers take no time. With two
// slots the producer never waits: the last stage is filled at 160 and read at 164. The consumer
// waits 10 cycles for the first stage, and 6 for each of the others.
//
// CHECK: 164 cycles on machine 'hopper'
// CHECK-NEXT: loop agent iterations scheduled executed ratio
// CHECK-NEXT: agent 0 16 10 10.00 1.000
// CHECK-NEXT: agent 1 16 10 10.00 1.000
// CHECK-NEXT: unit busy utilisation
// CHECK-NEXT: fp32x2_fp16ultra 64 39.0%
// CHECK-NEXT: tp_smem_wr 160 97.6%
// CHECK-NEXT: agent from to waiting utilisation
// CHECK: agent 0 0 160 0 100.0%
// CHECK-NEXT: agent 1 0 164 100 39.0%
// CHECK-NEXT: agent waits at operation for cycles
// CHECK-NEXT: agent 1 {{.*}}consumer_wait a full stage 100
// CHECK-NOT: agent
//
// JSON: "cycles": 164
// JSON: "executed": 10.0
// JSON: "iterations": 16
// JSON: "ratio": 1.0
// JSON: "scheduled": 10
// JSON: "machine": "hopper"
//
// TRACE: "unit of time": "cycles"
// TRACE: "traceEvents": [
// TRACE: "name": "agents"
// TRACE: "name": "units"
// TRACE: "name": "tp_smem_wr"
// TRACE: "name": "waits for a full stage"
//
// With one slot the sides alternate: 14 cycles an iteration. In the trace the second iteration of the
// producer starts when it has filled the stage, at 10, and waits for it; the third 14 cycles later, in the
// schedule at 20.
// ITERATIONS: "name": "agent 0, loop at {{[0-9]+}}:10, executed"
// ITERATIONS: "name": "agent 0, loop at {{[0-9]+}}:10, scheduled"
// ITERATIONS: "name": "iteration 2",
// ITERATIONS-NEXT: "ph": "X",
// ITERATIONS-NEXT: "pid": 2,
// ITERATIONS-NEXT: "tid": 0,
// ITERATIONS-NEXT: "ts": 24
// ITERATIONS: "name": "iteration 2",
// ITERATIONS-NEXT: "ph": "X",
// ITERATIONS-NEXT: "pid": 2,
// ITERATIONS-NEXT: "tid": 1,
// ITERATIONS-NEXT: "ts": 20
//
// The report is printed nevertheless.
// LATE-DAG: 14.00 1.400
// LATE-DAG: timed.mlir:[[@LINE+52]]:10: error: an iteration takes 14.00 cycles in agent 0, 40.0% more than the 10 scheduled
// SHORT: error: 3 iterations in agent 0 are too few to measure an interval; use more tiles
// NOTHING: error: no scheduled loop was executed
// MACHINE: --machine: no such value 'hoper'; did you mean 'hopper'?
// NEEDS: --timed
// UNWRITTEN: error: cannot write

nv_tileaa.func @two_slots(%n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<4xf32>]}
  %ip = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ic = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  nv_tileas.async.pipeline.agent_switch(%p, %ip, %ic : !nv_tileas.pipeline, !nv_tileas.iter<producer>, !nv_tileas.iter<consumer>) attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
    %x = arith.constant dense<1.0> : tensor<4xf32>
    %a = scf.for %i = %c0 to %n step %c1 iter_args(%it = %ip) -> (!nv_tileas.iter<producer>) {
      %own = nv_tileas.async.pipeline.producer_acquire %p, %it {tileas.schedule.latency = 0 : i32} : !nv_tileas.iter<producer>
      %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<4xf32>] {
      ^bb0(%s: tensor<4xf32>):
        nv_tileas.copy %x to %s {atom = #nv_tileas.atom<"sts">, tileas.schedule.latency = 10 : i32, tileas.schedule.resources = [array<i32: 16, 10, 1>]} : tensor<4xf32> to tensor<4xf32>
        nv_tileas.async.pipeline.yield
      }
      nv_tileas.async.pipeline.producer_commit %p, %full {tileas.schedule.latency = 0 : i32}
      %next = nv_tileas.async.pipeline.inc_iter %it : !nv_tileas.iter<producer>
      scf.yield %next : !nv_tileas.iter<producer>
    } {tileas.schedule.interval = 10 : i32}
    nv_tileas.async.pipeline.yield
  }, {
    %b = scf.for %i = %c0 to %n step %c1 iter_args(%it = %ic) -> (!nv_tileas.iter<consumer>) {
      %ready = nv_tileas.async.pipeline.consumer_wait %p, %it {tileas.schedule.latency = 0 : i32} : !nv_tileas.iter<consumer>
      %read = nv_tileas.async.pipeline.consumer_read %p, %ready payload [tensor<4xf32>] {
      ^bb0(%s: tensor<4xf32>):
        %y = arith.addf %s, %s {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 4, 4, 1>]} : tensor<4xf32>
        nv_tileas.async.pipeline.yield
      }
      nv_tileas.async.pipeline.consumer_release %p, %read {tileas.schedule.latency = 0 : i32}
      %next = nv_tileas.async.pipeline.inc_iter %it : !nv_tileas.iter<consumer>
      scf.yield %next : !nv_tileas.iter<consumer>
    } {tileas.schedule.interval = 10 : i32}
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

nv_tileaa.func @one_slot(%n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<4xf32>]}
  %ip = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ic = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  nv_tileas.async.pipeline.agent_switch(%p, %ip, %ic : !nv_tileas.pipeline, !nv_tileas.iter<producer>, !nv_tileas.iter<consumer>) attributes {num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
    %x = arith.constant dense<1.0> : tensor<4xf32>
    %a = scf.for %i = %c0 to %n step %c1 iter_args(%it = %ip) -> (!nv_tileas.iter<producer>) {
      %own = nv_tileas.async.pipeline.producer_acquire %p, %it {tileas.schedule.latency = 0 : i32} : !nv_tileas.iter<producer>
      %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<4xf32>] {
      ^bb0(%s: tensor<4xf32>):
        nv_tileas.copy %x to %s {atom = #nv_tileas.atom<"sts">, tileas.schedule.latency = 10 : i32, tileas.schedule.resources = [array<i32: 16, 10, 1>]} : tensor<4xf32> to tensor<4xf32>
        nv_tileas.async.pipeline.yield
      }
      nv_tileas.async.pipeline.producer_commit %p, %full {tileas.schedule.latency = 0 : i32}
      %next = nv_tileas.async.pipeline.inc_iter %it : !nv_tileas.iter<producer>
      scf.yield %next : !nv_tileas.iter<producer>
    } {tileas.schedule.interval = 10 : i32}
    nv_tileas.async.pipeline.yield
  }, {
    %b = scf.for %i = %c0 to %n step %c1 iter_args(%it = %ic) -> (!nv_tileas.iter<consumer>) {
      %ready = nv_tileas.async.pipeline.consumer_wait %p, %it {tileas.schedule.latency = 0 : i32} : !nv_tileas.iter<consumer>
      %read = nv_tileas.async.pipeline.consumer_read %p, %ready payload [tensor<4xf32>] {
      ^bb0(%s: tensor<4xf32>):
        %y = arith.addf %s, %s {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 4, 4, 1>]} : tensor<4xf32>
        nv_tileas.async.pipeline.yield
      }
      nv_tileas.async.pipeline.consumer_release %p, %read {tileas.schedule.latency = 0 : i32}
      %next = nv_tileas.async.pipeline.inc_iter %it : !nv_tileas.iter<consumer>
      scf.yield %next : !nv_tileas.iter<consumer>
    } {tileas.schedule.interval = 10 : i32}
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

nv_tileaa.func @nothing() {
  nv_tileaa.return
}
