// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule='rotate=false' --tileas-verify-pipelines %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-generate-schedule --tileas-materialize-schedule='use-aus=true' --tileas-verify-pipelines %s | FileCheck %s --check-prefix=ONE

// Products that later operations of the same agent overlap.

// Nothing in the loop reads the sum: the exponentials of the other tile run under the product, which is
// waited for at the end of the iteration. The slot of its factors is kept until then.
// CHECK-LABEL: @carried
// CHECK: }, {
// CHECK: scf.for
// CHECK: consumer_read %[[A:[A-Za-z0-9_]+]]
// CHECK: %[[SUM:.+]]:2 = nv_tileas.async.dot
// CHECK: exp2
// CHECK: nv_tileas.async.wait %[[SUM]]#1
// CHECK: consumer_release %[[A]]
// CHECK: scf.yield
// ONE-LABEL: @carried
// ONE: nv_tileas.async.dot
// ONE: exp2
// ONE: nv_tileas.async.wait
nv_tileaa.func @carried(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %e = "cuda_tile.exp2"(%a) {tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 2, 8, 1>]} : (tensor<64x64xf16>) -> tensor<64x64xf16>
    scf.yield %d : tensor<64x64xf32>
  }
  %done = nv_tileas.tiled_store %r, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// The next operation reads the product, and a product by FMA is not asynchronous: both are waited for at
// once.
// CHECK-LABEL: @used
// CHECK-NOT: async.dot
// CHECK: nv_tileas.dot
// CHECK: arith.addf
// CHECK: nv_tileas.dot
// CHECK: exp2
// CHECK-NOT: async.wait
nv_tileaa.func @used(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %second = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %zero {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %s = arith.addf %d, %acc : tensor<64x64xf32>
    %half = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
    %f = nv_tileas.dot %half, %half, %second {atom = #nv_tileas.atom<"simt_fma">} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x = "cuda_tile.exp2"(%half) {tileas.schedule.latency = 8000 : i32, tileas.schedule.resources = [array<i32: 2, 8, 1>]} : (tensor<64x64xf16>) -> tensor<64x64xf16>
    %e = "cuda_tile.exp2"(%x) {tileas.schedule.latency = 8 : i32, tileas.schedule.resources = [array<i32: 2, 8, 1>]} : (tensor<64x64xf16>) -> tensor<64x64xf16>
    scf.yield %s, %f : tensor<64x64xf32>, tensor<64x64xf32>
  }
  %done = nv_tileas.tiled_store %r#0, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  %last = nv_tileas.tiled_store %r#1, %out[%c0, %c1] token %done : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
