// RUN: orison-opt --tileas-generate-schedule=machine=hopper --tileas-materialize-schedule=machine=hopper --tileas-verify-pipelines %s | FileCheck %s

// Tiles that views show are in the registers of the tile that is shown. What an iteration puts into the tile of
// the one before is a tile of its own, although it takes no time.

// CHECK-LABEL: @carried
// CHECK: %[[NEW:.+]] = nv_tileas.insert_slice {{.*}} {nv_tile.aws.order = 3 : i32, nv_tile.aws.stage = 0 : i32}
// CHECK: nv_tileas.async.dot {{.*}}, nv_tile.aws.stage = 1 : i32}
// CHECK: nv_tileas.async.wait
// CHECK: scf.yield %[[NEW]]
nv_tileaa.func @carried(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %few = arith.constant dense<0.0> : tensor<8x8xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x128xf32, gmem>
  %small = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<8x8xf32, gmem>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %old = %few) -> (tensor<128x128xf32>, tensor<8x8xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %flat = nv_tileas.view %old : tensor<8x8xf32> -> tensor<4x16xf32>
    %half = nv_tileas.extract_slice %flat[0, 8] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
    %new = nv_tileas.insert_slice %half into %few[%c1, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
    %sum = arith.addf %new, %few : tensor<8x8xf32>
    %each = nv_tileas.tiled_store %sum, %small[%c0, %i] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<8x8xf32>, !nv_tileaa.tiled_view<8x8xf32, gmem> -> !nv_tileaa.mem_token
    scf.yield %d, %new : tensor<128x128xf32>, tensor<8x8xf32>
  }
  %done = nv_tileas.tiled_store %r#0, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.tiled_view<128x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// A tile from before the loop that views alone carry from one iteration to the next.
// CHECK-LABEL: @shown
// CHECK: %[[FLAT:.+]] = nv_tileas.view {{.*}} {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32}
// CHECK-NEXT: %[[NEW:.+]] = nv_tileas.view %[[FLAT]]
// CHECK: nv_tileas.async.dot {{.*}}, nv_tile.aws.stage = 1 : i32}
// CHECK: nv_tileas.async.wait
// CHECK: scf.yield %[[NEW]]
nv_tileaa.func @shown(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %few = arith.constant dense<0.0> : tensor<8x8xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x128xf32, gmem>
  %small = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<8x8xf32, gmem>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %old = %few) -> (tensor<128x128xf32>, tensor<8x8xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %a, %acc {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %flat = nv_tileas.view %old : tensor<8x8xf32> -> tensor<4x16xf32>
    %new = nv_tileas.view %flat : tensor<4x16xf32> -> tensor<8x8xf32>
    %sum = arith.addf %new, %few : tensor<8x8xf32>
    %each = nv_tileas.tiled_store %sum, %small[%c0, %i] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<8x8xf32>, !nv_tileaa.tiled_view<8x8xf32, gmem> -> !nv_tileaa.mem_token
    scf.yield %d, %new : tensor<128x128xf32>, tensor<8x8xf32>
  }
  %done = nv_tileas.tiled_store %r#0, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.tiled_view<128x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
