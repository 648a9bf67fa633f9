// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule='use-aus=true unspecialized-pipeline-num-stages=3' %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule='pipeline-strategy=unspecialized unspecialized-pipeline-num-stages=3 enable-schedule-rewrite=false' %s | FileCheck %s --check-prefix=EXPANDED
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule='pipeline-strategy=none use-aus=true' %s | FileCheck %s --check-prefix=NONE
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule='use-aus=true' %s | FileCheck %s --check-prefix=FOUR
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule='use-aus=true unspecialized-pipeline-num-stages=1' --remarks=text %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SINGLE

// SINGLE: Missed materialize: Failed to pipeline loop; two stages do not fit in shared memory, or only one was requested

// One agent that prefetches its loads. With three stages, two iterations are loaded before the loop,
// and the last two are used after it. The number of iterations is unknown, so the peeled operations are
// guarded: the loop may have zero iterations.
// CHECK-LABEL: @ahead
// CHECK: %[[RING:.+]] = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<3x64x64xf16, smem>
// CHECK-NOT: agent_switch
// CHECK: %[[ANY:.+]] = arith.cmpi slt, %[[C0:.+]], %[[N:.+]] : index
// CHECK: %[[P0:.+]]:2 = scf.if %[[ANY]] -> (!nv_tileas.iter<producer>, !nv_tileas.async_token) {
// CHECK: %[[T0:.+]]:2 = nv_tileas.async.pipeline.produce_one_async
// CHECK: tiled_tma_load %{{.+}}[%[[C0]], %[[C0]]]
// CHECK: scf.yield %{{.+}}, %[[T0]]#1
// CHECK: } else {
// CHECK: %[[NOTHING:.+]] = nv_tileas.create_none
// CHECK: scf.yield %{{.+}}, %[[NOTHING]]
// CHECK: %[[SECOND:.+]] = arith.addi %[[C0]], %[[C1:.+]] : index
// CHECK: arith.cmpi slt, %[[SECOND]], %[[N]]
// CHECK: %[[P1:.+]]:2 = scf.if
// CHECK: tiled_tma_load %{{.+}}[%[[C0]], %[[SECOND]]]
//
// The loop ends two iterations early. It carries the index of the first remaining iteration, the
// sum, both iterators of the ring, and the tokens of the two stages in flight.
// CHECK: %[[TWO:.+]] = arith.muli %[[C1]], %{{.+}} : index
// CHECK: %[[END:.+]] = arith.subi %[[N]], %[[TWO]] : index
// CHECK: %[[L:.+]]:6 = scf.for %[[I:.+]] = %[[C0]] to %[[END]] step %[[C1]] iter_args(%{{.+}} = %[[C0]], %[[ACC:.+]] = %{{.+}}, %[[AT:.+]] = %consumer, %[[INTO:.+]] = %[[P1]]#0, %[[OLD:.+]] = %[[P0]]#1, %[[YOUNG:.+]] = %[[P1]]#1)
// CHECK: nv_tileas.async.wait %[[OLD]]
// CHECK: %[[USED:.+]]:2 = nv_tileas.async.pipeline.consume_one %{{.+}}, %[[AT]]
// CHECK: nv_tileas.dot
// CHECK: %[[LATER:.+]] = arith.addi %[[I]], %{{.+}} : index
// CHECK: %[[MADE:.+]]:2 = nv_tileas.async.pipeline.produce_one_async %{{.+}}, %[[INTO]]
// CHECK: tiled_tma_load %{{.+}}[%[[C0]], %[[LATER]]]
// CHECK: %[[NEXT:.+]] = arith.addi %[[I]], %[[C1]]
// CHECK: scf.yield %[[NEXT]], %[[USED]]#1, %{{.+}}, %{{.+}}, %[[YOUNG]], %[[MADE]]#1
//
// CHECK: arith.cmpi slt, %[[L]]#0, %[[N]]
// CHECK: %[[D0:.+]]:2 = scf.if
// CHECK: nv_tileas.async.wait %[[L]]#4
// CHECK: consume_one
// CHECK: } else {
// CHECK: scf.yield %[[L]]#1, %[[L]]#2
// CHECK: arith.addi %[[L]]#0, %[[C1]]
// CHECK: %[[D1:.+]]:2 = scf.if
// CHECK: nv_tileas.async.wait %[[L]]#5
// CHECK: scf.yield %[[D0]]#0, %[[D0]]#1
// CHECK: "test.result"(%[[D1]]#0)
//
// NONE-LABEL: @ahead
// NONE-NOT: create_pipeline
// NONE: nv_tileas.tiled_load
// FOUR-LABEL: @ahead
// FOUR: !nv_tileas.tiled_view<4x64x64xf16, smem>
nv_tileaa.func @ahead(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  "test.result"(%r) : (tensor<64x64xf32>) -> ()
  nv_tileaa.return
}

// -----

// Three iterations, statically known: no guards. Without rewriting the guards remain.
// CHECK-LABEL: @known
// CHECK-NOT: scf.if
// CHECK-COUNT-2: produce_one_async
// CHECK: scf.for
// CHECK: consume_one
// CHECK: produce_one_async
// CHECK: }
// CHECK-COUNT-2: consume_one
// EXPANDED-LABEL: @known
// EXPANDED: scf.if
// EXPANDED: scf.for
// EXPANDED: scf.if
nv_tileaa.func @known(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}

// -----

// One iteration: one load, one use, and a loop with zero iterations.
// CHECK-LABEL: @once
// CHECK-COUNT-1: produce_one_async
// CHECK-NOT: produce_one_async
// CHECK: scf.for
// CHECK: }
// CHECK: consume_one
// CHECK-NOT: consume_one
nv_tileaa.func @once(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  scf.for %i = %c0 to %c1 step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
  }
  nv_tileaa.return
}

// -----

// An iteration may load data that the previous one stored: one iteration ahead, two stages. An iteration
// uses its stage, and stores, before it loads for the next.
// CHECK-LABEL: @stores
// CHECK: !nv_tileas.tiled_view<2x64x64xf16, smem>
// CHECK: scf.for
// CHECK: tiled_store
// CHECK: produce_one_async
nv_tileaa.func @stores(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %t) -> (!nv_tileaa.mem_token) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %before : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %done = nv_tileas.tiled_store %a, %view[%c0, %i] token %ta : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64xf16, gmem> -> !nv_tileaa.mem_token
    scf.yield %done : !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// -----

// A carried coordinate advances with the loads; a second copy is kept for the use of the result.
// CHECK-LABEL: @carried
// CHECK: scf.if %{{.+}} -> (index, !nv_tileas.iter<producer>, !nv_tileas.async_token) {
// CHECK: tiled_tma_load
// CHECK: arith.addi
// CHECK: "test.end"
nv_tileaa.func @carried(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> (index) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %at] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<64x64xf16>) -> ()
    %next = arith.addi %at, %c1 : index
    scf.yield %next : index
  }
  "test.end"(%end) : (index) -> ()
  nv_tileaa.return
}
