// Layer norm: Y = (X - mean) / sqrt(variance + epsilon) * gamma + beta, for rows of 256. A block does
// `blocks` tiles of 64 rows, one behind the other; the next tile is loaded while one is computed.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s --check-prefix=PARSED
// RUN: orison-opt --machine=page %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=SCHEDULE
// RUN: orison-opt %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=SHAPED
// RUN: orison-opt --machine=page %s --tileas-generate-schedule --tileas-materialize-schedule | FileCheck %s --check-prefix=AGENTS
//
// PARSED-COUNT-2: nv_tileas.reduce
//
// Bounds. Each of the two reductions over 256 columns holds the slot alu_or_fmaheavy for
// 4 * log2(256) = 32 cycles, and eight sums, differences and products hold it for 4 each:
// 2 * 32 + 8 * 4 = 96. No iteration waits for another one: the rows are independent. A
// reduction is also the longest hold, 32.
//
// SCHEDULE: ii = 96 : i32, mii = {dependency = {{[0-9]+}} : i32, fine = 24 : i32, recurrence = 1 : i32, resource = 96 : i32, self = 32 : i32}, proven = true, stages = 2 : i32
//
// With costs by shape the instructions issued decide: nine operations on 64 x 256 elements at 128 lanes a
// cycle, 9 * 128 cycles, and four on the rows.
//
// SHAPED: ii = 1156 : i32, mii = {{.*}}recurrence = 1 : i32, resource = 1156 : i32
//
// Agents. A tile is 64 * 256 * 2 = 32,768 bytes. Weights and offsets are tiles that only the consumer
// reads, so it loads them, once. While the consumer waits for the root of the variance of a tile, it converts
// the next one: the centered tile and its variance are carried until then. Each broadcast comes with its
// reader, so there are never more than two tiles in registers.
//
// AGENTS: create_pipeline
// AGENTS: agent_switch
// AGENTS: scf.for
// AGENTS: producer_commit {{.*}} bytes 32768
// AGENTS: }, {
// AGENTS-COUNT-2: nv_tileas.tiled_load
// AGENTS: scf.if
// AGENTS: scf.for {{.*}}%[[AT:[^ ]+]] = %{{[^ ]+}}, %{{[^ ]+}} = %{{[^ ]+}}, %[[CENTERED:[^ ]+]] = %{{[^ ]+}}, %[[VARIANCE:[^ ]+]] = %{{[^ ]+}}) ->
// AGENTS: arith.addf %[[VARIANCE]]
// AGENTS: arith.extf
// AGENTS: %[[SCALE:.+]] = "cuda_tile.broadcast"
// AGENTS-NEXT: %[[NORMAL:.+]] = arith.mulf %[[CENTERED]], %[[SCALE]]
// AGENTS-NEXT: %[[GAMMA:.+]] = "cuda_tile.broadcast"
// AGENTS-NEXT: %[[WEIGHTED:.+]] = arith.mulf %[[NORMAL]], %[[GAMMA]]
// AGENTS-NEXT: %[[BETA:.+]] = "cuda_tile.broadcast"
// AGENTS-NEXT: %[[SUM:.+]] = arith.addf %[[WEIGHTED]], %[[BETA]]
// AGENTS-NEXT: %[[HALF:.+]] = arith.truncf %[[SUM]]
// AGENTS: %[[NEXT:.+]] = arith.subf
// AGENTS: nv_tileas.tiled_store %[[HALF]], %{{[^[]+}}[%[[AT]],
// AGENTS: scf.yield {{.*}}, %[[NEXT]], %
// AGENTS: nv_tileas.tiled_store

nv_tileaa.func @layer_norm(
    %X: !nv_tileaa.memref<?x?xf16>, %Gamma: !nv_tileaa.memref<?xf32>,
    %Beta: !nv_tileaa.memref<?xf32>, %Y: !nv_tileaa.memref<?x?xf16>, %blocks: index
  ) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one_over_width = arith.constant dense<3.906250e-03> : tensor<64xf32>
  %epsilon = arith.constant dense<1.000000e-05> : tensor<64xf32>
  %program = nv_tileaa.get_program_id axis 0
  %first = arith.muli %program, %blocks : index
  %end = arith.addi %first, %blocks : index
  %token = nv_tileaa.create_mem_token
  %X_tiles = nv_tileaa.block_tile %X : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x256xf16, gmem>
  %gamma_tiles = nv_tileaa.block_tile %Gamma : !nv_tileaa.memref<?xf32> -> !nv_tileaa.tiled_view<256xf32, gmem>
  %beta_tiles = nv_tileaa.block_tile %Beta : !nv_tileaa.memref<?xf32> -> !nv_tileaa.tiled_view<256xf32, gmem>
  %Y_tiles = nv_tileaa.block_tile %Y : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x256xf16, gmem>
  %gamma, %gamma_token = nv_tileas.tiled_load %gamma_tiles[%c0] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"ldg_128">, in_bounds = array<i1: true>, mem_semantic = "weak"
    } : !nv_tileaa.tiled_view<256xf32, gmem> -> tensor<256xf32>, !nv_tileaa.mem_token
  %beta, %beta_token = nv_tileas.tiled_load %beta_tiles[%c0] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"ldg_128">, in_bounds = array<i1: true>, mem_semantic = "weak"
    } : !nv_tileaa.tiled_view<256xf32, gmem> -> tensor<256xf32>, !nv_tileaa.mem_token
  %gamma_row = nv_tileas.expand_dims %gamma axis 0 : tensor<256xf32> -> tensor<1x256xf32>
  %beta_row = nv_tileas.expand_dims %beta axis 0 : tensor<256xf32> -> tensor<1x256xf32>
  scf.for %row = %first to %end step %c1 {
    %x_half, %x_token = nv_tileas.tiled_load %X_tiles[%row, %c0] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [64, 256]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<64x256xf16, gmem> -> tensor<64x256xf16>, !nv_tileaa.mem_token
    %x = arith.extf %x_half : tensor<64x256xf16> to tensor<64x256xf32>
    %sum = nv_tileas.reduce %x axis 1 : tensor<64x256xf32> -> tensor<64xf32> {
    ^bb0(%left: f32, %right: f32):
      %both = arith.addf %left, %right : f32
      nv_tileas.yield %both : f32
    }
    %mean = arith.mulf %sum, %one_over_width : tensor<64xf32>
    %mean_tile = "cuda_tile.broadcast"(%mean) {
        tileas.schedule.cost_of = "nv_tileas.view"
      } : (tensor<64xf32>) -> tensor<64x256xf32>
    %centered = arith.subf %x, %mean_tile : tensor<64x256xf32>
    %square = arith.mulf %centered, %centered : tensor<64x256xf32>
    %square_sum = nv_tileas.reduce %square axis 1 : tensor<64x256xf32> -> tensor<64xf32> {
    ^bb0(%left: f32, %right: f32):
      %both = arith.addf %left, %right : f32
      nv_tileas.yield %both : f32
    }
    %variance = arith.mulf %square_sum, %one_over_width : tensor<64xf32>
    %shifted = arith.addf %variance, %epsilon : tensor<64xf32>
    %scale = "cuda_tile.rsqrt"(%shifted) {
        tileas.schedule.cost_of = "math.rsqrt"
      } : (tensor<64xf32>) -> tensor<64xf32>
    %scale_tile = "cuda_tile.broadcast"(%scale) {
        tileas.schedule.cost_of = "nv_tileas.view"
      } : (tensor<64xf32>) -> tensor<64x256xf32>
    %normal = arith.mulf %centered, %scale_tile : tensor<64x256xf32>
    %gamma_tile = "cuda_tile.broadcast"(%gamma_row) {
        tileas.schedule.cost_of = "nv_tileas.view"
      } : (tensor<1x256xf32>) -> tensor<64x256xf32>
    %weighted = arith.mulf %normal, %gamma_tile : tensor<64x256xf32>
    %beta_tile = "cuda_tile.broadcast"(%beta_row) {
        tileas.schedule.cost_of = "nv_tileas.view"
      } : (tensor<1x256xf32>) -> tensor<64x256xf32>
    %y = arith.addf %weighted, %beta_tile : tensor<64x256xf32>
    %y_half = arith.truncf %y : tensor<64x256xf32> to tensor<64x256xf16>
    %stored = nv_tileas.tiled_store %y_half, %Y_tiles[%row, %c0] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak"
      } : tensor<64x256xf16>, !nv_tileaa.tiled_view<64x256xf16, gmem> -> !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
