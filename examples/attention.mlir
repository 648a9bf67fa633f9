// Flash attention, forward: for 128 rows of Q, over blocks of 64 rows of K and V, with the running
// maximum and sum of each row (online softmax) and an output that is rescaled in every block.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s --check-prefix=PARSED
// RUN: orison-opt --machine=page %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=SCHEDULE
// RUN: orison-opt %s --tileas-generate-schedule=exact-work=48000000 --tileas-verify-schedule | FileCheck %s --check-prefix=SHAPED
// RUN: orison-opt --machine=page %s --tileas-generate-schedule --tileas-materialize-schedule | FileCheck %s --check-prefix=AGENTS
//
// `cuda_tile.broadcast` and `cuda_tile.exp2` are operations of a dialect that orison does not know.
// They name the operation whose cost they have, so they are scheduled like any other and depend on
// others only through their operands. The tiles of V are square and not transposed, which the atom of
// the second product says.
//
// PARSED-COUNT-2: nv_tileas.reduce
//
// Bounds. The slot alu_or_fmaheavy is the busiest: each reduction over 64 columns holds it for
// 4 * log2(64) = 24 cycles, and seven additions, subtractions, products and maxima for 4 each:
// 2 * 24 + 7 * 4 = 76. The longest recurrence is that of the output: multiply (4) and add the
// product (16), 20 cycles, one iteration apart. A reduction is also the longest hold, 24.
//
// SCHEDULE: ii = 76 : i32, mii = {dependency = {{[0-9]+}} : i32, fine = 19 : i32, recurrence = 20 : i32, resource = 76 : i32, self = 24 : i32}, proven = true, stages = 2 : i32
//
// With costs by shape, on Blackwell, the exponentials decide: 128 x 64 of them and 128 of the rows at 16
// a cycle take 512 + 8. Two loads of 8,192 bytes take 256 cycles, two products of 524,288
// multiplications 256, and the instructions issued 518 of 520 cycles, which leaves no schedule at 520.
//
// SHAPED: ii = 521 : i32, mii = {{.*}}resource = 520 : i32, self = 512 : i32}, proven = true
//
// Agents. K is read by the first product and V by the second, so each has a pipe. Between them the
// consumer computes the softmax; the row statistics and the output stay in its registers. Q is
// loaded once, by the agent that reads it. Iterations overlap: the first product of an iteration comes with
// the second of the one before, whose softmax is carried, and both are in flight when that of the iteration
// begins.
//
// AGENTS-COUNT-2: create_pipeline
// AGENTS: agent_switch
// AGENTS-COUNT-2: producer_acquire
// AGENTS: }, {
// AGENTS: %[[Q:.+]]:2 = nv_tileas.tiled_load
// AGENTS: scf.if
// AGENTS: scf.for {{.*}} %[[P:[^ ]+]] = %{{[^ ]+}}) ->
// AGENTS: %[[S:.+]]:3 = nv_tileas.async.pipeline.consumer_read
// AGENTS-NEXT: ^bb0(%[[K:.+]]: tensor<64x64xf16>):
// AGENTS-NEXT: nv_tileas.async.dot %[[Q]]#0, %[[K]]
// AGENTS: %[[OUT:.+]]:3 = nv_tileas.async.pipeline.consumer_read
// AGENTS-NEXT: ^bb0(%[[V:.+]]: tensor<64x64xf16>):
// AGENTS-NEXT: nv_tileas.async.dot %[[P]], %[[V]]
// AGENTS: nv_tileas.async.wait %[[S]]#2
// AGENTS: consumer_release
// AGENTS: arith.mulf %[[S]]#1
// AGENTS: nv_tileas.reduce
// AGENTS: nv_tileas.async.wait %[[OUT]]#2
// AGENTS: consumer_release
// AGENTS: %[[NEXT:.+]] = arith.truncf
// AGENTS: scf.yield {{.*}}, %[[NEXT]] :
// AGENTS: arith.divf
// AGENTS: nv_tileas.tiled_store

nv_tileaa.func @attention(
    %Q: !nv_tileaa.memref<?x?xf16>, %K: !nv_tileaa.memref<?x?xf16>,
    %V: !nv_tileaa.memref<?x?xf16>, %O: !nv_tileaa.memref<?x?xf32>, %blocks: index
  ) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no_score = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
  %no_output = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
  %minus_infinity = arith.constant dense<0xFF800000> : tensor<128xf32>
  %no_sum = arith.constant dense<0.000000e+00> : tensor<128xf32>
  %scale = arith.constant dense<1.803000e-01> : tensor<128x64xf32>
  %row = nv_tileaa.get_program_id axis 0
  %token = nv_tileaa.create_mem_token
  %Q_tiles = nv_tileaa.block_tile %Q : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %K_tiles = nv_tileaa.block_tile %K : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %V_tiles = nv_tileaa.block_tile %V : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %O_tiles = nv_tileaa.block_tile %O : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x64xf32, gmem>
  %q, %q_token = nv_tileas.tiled_load %Q_tiles[%row, %c0] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>,
      mem_semantic = "weak"
    } : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
  %max_end, %sum_end, %output_end = scf.for %block = %c0 to %blocks step %c1 iter_args(%max = %minus_infinity, %sum = %no_sum, %output = %no_output) -> (tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>) {
    %k, %k_token = nv_tileas.tiled_load %K_tiles[%block, %c0] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %v, %v_token = nv_tileas.tiled_load %V_tiles[%block, %c0] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %scores = nv_tileas.dot %q, %k, %no_score {
        atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">
      } : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %scaled = arith.mulf %scores, %scale : tensor<128x64xf32>
    %block_max = nv_tileas.reduce %scaled axis 1 : tensor<128x64xf32> -> tensor<128xf32> {
    ^bb0(%x: f32, %y: f32):
      %both = arith.maximumf %x, %y : f32
      nv_tileas.yield %both : f32
    }
    %next_max = arith.maximumf %max, %block_max : tensor<128xf32>
    %max_tile = "cuda_tile.broadcast"(%next_max) {
        tileas.schedule.cost_of = "nv_tileas.view"
      } : (tensor<128xf32>) -> tensor<128x64xf32>
    %centered = arith.subf %scaled, %max_tile : tensor<128x64xf32>
    %p = "cuda_tile.exp2"(%centered) {
        tileas.schedule.cost_of = "math.exp2"
      } : (tensor<128x64xf32>) -> tensor<128x64xf32>
    %shift = arith.subf %max, %next_max : tensor<128xf32>
    %alpha = "cuda_tile.exp2"(%shift) {
        tileas.schedule.cost_of = "math.exp2"
      } : (tensor<128xf32>) -> tensor<128xf32>
    %block_sum = nv_tileas.reduce %p axis 1 : tensor<128x64xf32> -> tensor<128xf32> {
    ^bb0(%x: f32, %y: f32):
      %both = arith.addf %x, %y : f32
      nv_tileas.yield %both : f32
    }
    %sum_scaled = arith.mulf %sum, %alpha : tensor<128xf32>
    %next_sum = arith.addf %sum_scaled, %block_sum : tensor<128xf32>
    %alpha_tile = "cuda_tile.broadcast"(%alpha) {
        tileas.schedule.cost_of = "nv_tileas.view"
      } : (tensor<128xf32>) -> tensor<128x64xf32>
    %output_scaled = arith.mulf %output, %alpha_tile : tensor<128x64xf32>
    %p_half = arith.truncf %p : tensor<128x64xf32> to tensor<128x64xf16>
    %next_output = nv_tileas.dot %p_half, %v, %output_scaled {
        atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16", b = "kn">
      } : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %next_max, %next_sum, %next_output : tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>
  }
  %sum_tile = "cuda_tile.broadcast"(%sum_end) : (tensor<128xf32>) -> tensor<128x64xf32>
  %normal = arith.divf %output_end, %sum_tile : tensor<128x64xf32>
  %stored = nv_tileas.tiled_store %normal, %O_tiles[%row, %c0] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak"
    } : tensor<128x64xf32>, !nv_tileaa.tiled_view<128x64xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
