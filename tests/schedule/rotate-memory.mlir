// Slots for iterations that overlap inside an agent, and other uses of shared memory. Each ring of the two
// products has slots of 16,384 bytes and 16 of mbarriers. The order of the compute agent keeps three slots of
// the second ring in use, 82,000 bytes in all, but two, 65,600, are enough for it.
//
// RUN: orison-opt --machine=page %S/../../examples/two-gemms.mlir --tileas-generate-schedule --tileas-materialize-schedule | FileCheck %s --check-prefixes=FREE,CHECK
// RUN: orison-opt --machine=page %S/../../examples/two-gemms.mlir --tileas-generate-schedule --tileas-assign-buffers=smem-bytes=82000 --tileas-materialize-schedule | FileCheck %s --check-prefixes=FREE,CHECK
//
// FREE: create_pipeline {{.*}}numStages = 2 : i32
// FREE: create_pipeline {{.*}}numStages = 3 : i32
//
// With a byte less it has two, and so in 232,448 bytes, of which another ring has 150,516.
//
// RUN: orison-opt --machine=page %S/../../examples/two-gemms.mlir --tileas-generate-schedule --tileas-assign-buffers=smem-bytes=81999 --tileas-materialize-schedule | FileCheck %s --check-prefixes=FULL,CHECK
// RUN: orison-opt --machine=page %s --tileas-generate-schedule --tileas-materialize-schedule | FileCheck %s --check-prefixes=FULL,CHECK
//
// FULL: create_pipeline {{.*}}numStages = 2 : i32{{.*}}payload = [tensor<64x128xf16>]
// FULL: create_pipeline {{.*}}numStages = 2 : i32{{.*}}payload = [tensor<128x64xf16>]
//
// CHECK: agent_switch
// CHECK: }, {
// CHECK: scf.if
// CHECK: nv_tileas.async.dot

nv_tileaa.func @two_gemms(
    %A: !nv_tileaa.memref<?x?xf16>, %B1: !nv_tileaa.memref<?x?xf16>,
    %B2: !nv_tileaa.memref<?x?xf16>, %D: !nv_tileaa.memref<?x?xf32>, %hidden_tiles: index
  ) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no_hidden = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
  %no_output = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
  %row = nv_tileaa.get_program_id axis 0
  %column = nv_tileaa.get_program_id axis 1
  %token = nv_tileaa.create_mem_token
  %other = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<1x150500xi8, smem>
  %ring = nv_tileas.async.pipeline.create_pipeline %other : !nv_tileas.tiled_view<1x150500xi8, smem> {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<150500xi8>]}
  %filling = nv_tileas.async.pipeline.create_iterator %ring as "producer" : !nv_tileas.iter<producer>
  %draining = nv_tileas.async.pipeline.create_iterator %ring as "consumer" : !nv_tileas.iter<consumer>
  %owned = nv_tileas.async.pipeline.producer_acquire %ring, %filling : !nv_tileas.iter<producer>
  nv_tileas.async.pipeline.producer_commit %ring, %owned
  %ready = nv_tileas.async.pipeline.consumer_wait %ring, %draining : !nv_tileas.iter<consumer>
  nv_tileas.async.pipeline.consumer_release %ring, %ready
  %A_tiles = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x128xf16, gmem>
  %B1_tiles = nv_tileaa.block_tile %B1 : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x128xf16, gmem>
  %B2_tiles = nv_tileaa.block_tile %B2 : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %D_tiles = nv_tileaa.block_tile %D : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x128xf32, gmem>
  %a, %a_token = nv_tileas.tiled_load %A_tiles[%row, %c0] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"tma_load_2d", box = [128, 128]>, in_bounds = array<i1: true, true>,
      mem_semantic = "weak"
    } : !nv_tileaa.tiled_view<128x128xf16, gmem> -> tensor<128x128xf16>, !nv_tileaa.mem_token
  %sum = scf.for %block = %c0 to %hidden_tiles step %c1 iter_args(%acc = %no_output) -> (tensor<128x128xf32>) {
    %b1, %b1_token = nv_tileas.tiled_load %B1_tiles[%block, %c0] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [64, 128]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<64x128xf16, gmem> -> tensor<64x128xf16>, !nv_tileaa.mem_token
    %b2, %b2_token = nv_tileas.tiled_load %B2_tiles[%column, %block] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %hidden = nv_tileas.dot %a, %b1, %no_hidden {
        atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">
      } : tensor<128x128xf16>, tensor<64x128xf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %positive = arith.maximumf %hidden, %no_hidden : tensor<128x64xf32>
    %half = arith.truncf %positive : tensor<128x64xf32> to tensor<128x64xf16>
    %next = nv_tileas.dot %half, %b2, %acc {
        atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">
      } : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %stored = nv_tileas.tiled_store %sum, %D_tiles[%row, %column] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak"
    } : tensor<128x128xf32>, !nv_tileaa.tiled_view<128x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
