// RUN: orison-opt --split-input-file --tileas-generate-schedule=machine=hopper --tileas-materialize-schedule=machine=hopper --tileas-verify-pipelines %s | FileCheck %s
// RUN: orison-opt --split-input-file --tileas-generate-schedule=machine=hopper --tileas-materialize-schedule='machine=hopper rotate=false' %s | FileCheck %s --check-prefix=PLAIN
// RUN: orison-opt --split-input-file --tileas-generate-schedule=machine=hopper --remarks=text --tileas-materialize-schedule=machine=hopper -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: orison-opt --split-input-file --tileas-generate-schedule=machine=hopper --tileas-assign-buffers=machine=hopper --tileas-materialize-schedule=machine=hopper --tileas-verify-pipelines=require-buffers=true -o /dev/null %s
// RUN: orison-opt %S/../../examples/tcgen05-gemm.mlir --tileas-generate-schedule=machine=blackwell --tileas-materialize-schedule=machine=blackwell | FileCheck %s --check-prefix=EQUAL

// Iterations that overlap inside an agent.

// On Blackwell the loads of the GEMM take 768 cycles, and its product with the waits less: nothing is gained
// by an overlap, so there is none.
// EQUAL-LABEL: @tcgen05_gemm
// EQUAL-NOT: scf.if
// EQUAL: nv_tileaa.return

// The product of an iteration is in flight while the next is started: it is waited for, and its slot
// released, one kernel iteration later. A loop without an iteration cannot start one ahead.
// CHECK-LABEL: @dynamic
// CHECK: numStages = 3
// CHECK: }, {
// CHECK: %[[ENOUGH:.+]] = arith.cmpi slt, %c0, %arg2
// CHECK: scf.if %[[ENOUGH]]
// CHECK: %[[FIRST:.+]] = nv_tileas.async.pipeline.consumer_wait
// CHECK: nv_tileas.async.dot
// CHECK-NOT: nv_tile.aws.stage
// CHECK: %[[LOWER:.+]] = arith.addi %c0, %c1
// CHECK: %[[LOOP:.+]]:4 = scf.for %{{.+}} = %[[LOWER]] to %arg2 step %c1 iter_args(%[[HELD:.+]] = %[[FIRST]], {{.*}}, %[[SUM:.+]] = %{{.+}}#1, %[[FLIGHT:.+]] = %{{.+}}#2)
// CHECK: %[[READY:.+]] = nv_tileas.async.pipeline.consumer_wait
// CHECK: nv_tileas.async.dot %{{.+}}, %{{.+}}, %[[SUM]]
// CHECK-SAME: nv_tile.aws.stage
// CHECK: nv_tileas.async.wait %[[FLIGHT]]
// CHECK-NEXT: consumer_release %{{.+}}, %[[HELD]]
// CHECK-NEXT: scf.yield %[[READY]]
// CHECK: tileas.schedule.interval
// CHECK: nv_tileas.async.wait %[[LOOP]]#3
// CHECK-NEXT: consumer_release %{{.+}}, %[[LOOP]]#0
// Otherwise there is no iteration: the results are the initial values.
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[ZERO:.+]], %
// CHECK-NEXT: }
// CHECK: nv_tileas.tiled_store
// PLAIN-LABEL: @dynamic
// PLAIN-NOT: scf.if
// PLAIN-NOT: async.dot
// PLAIN: nv_tileaa.return
// REMARK-NOT: Missed rotate
nv_tileaa.func @dynamic(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x128xf32, gmem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.tiled_view<128x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A product of small tiles takes less time than what it is waited for, and without overlap it is synchronous:
// an iteration takes 37 cycles, 58 if products were in flight.
// CHECK-LABEL: @small
// CHECK-NOT: scf.if
// CHECK-NOT: async.dot
// CHECK: nv_tileaa.return
// REMARK: Missed rotate: iterations do not overlap inside the agents: more iterations would overlap than
nv_tileaa.func @small(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<16x8xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<16x16xf32, gmem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [16, 8]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<16x8xf16, gmem> -> tensor<16x8xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">} : tensor<16x8xf16>, tensor<16x8xf16>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileaa.tiled_view<16x16xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// With constant bounds, the form is known.
// CHECK-LABEL: @constant
// CHECK-NOT: scf.if
// CHECK: }, {
// CHECK-NOT: scf.if
// CHECK: nv_tileas.async.dot
// CHECK: scf.for
// CHECK: nv_tileas.async.dot
// CHECK: nv_tileas.async.wait
// CHECK: scf.yield
// CHECK: nv_tileas.async.wait
// CHECK-NOT: scf.for
// CHECK: nv_tileaa.return
nv_tileaa.func @constant(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x128xf32, gmem>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.tiled_view<128x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// No iteration: nothing is started ahead.
// CHECK-LABEL: @none
// CHECK-NOT: async.dot
// CHECK: }, {
// CHECK-NOT: scf.if
// CHECK-NOT: async.dot
// CHECK: scf.for
// CHECK-NOT: async.dot
// CHECK: nv_tileaa.return
nv_tileaa.func @none(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x128xf32, gmem>
  %r = scf.for %i = %c1 to %c1 step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.tiled_view<128x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Two tiles of 64 KiB would be alive at once besides the sum; 128 threads have 116 KiB of registers.
// REMARK: Missed rotate: iterations {{.*}} bytes of tiles would be alive, with 118784 of registers
nv_tileaa.func @registers(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x128xf32, gmem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %zero {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %e = math.exp2 %d : tensor<128x128xf32>
    %s = arith.addf %acc, %e : tensor<128x128xf32>
    scf.yield %s : tensor<128x128xf32>
  }
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.tiled_view<128x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
