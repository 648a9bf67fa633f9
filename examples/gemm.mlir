// A GEMM K-loop: D = A * B^T, a tile of 128 x 128 a block, 64 of K an iteration.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s --check-prefix=PARSED
// RUN: orison-opt %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=SCHEDULE
// RUN: orison-opt %s --tileas-generate-schedule --tileas-materialize-schedule | FileCheck %s --check-prefix=AGENTS
// RUN: orison-opt %s --machine=page --tileas-generate-schedule | FileCheck %s --check-prefix=PAGE
// RUN: orison-opt %s --tileas-generate-schedule | orison-opt --tileas-materialize-schedule | FileCheck %s --check-prefix=AGENTS
//
// PARSED: scf.for
// PARSED-COUNT-2: nv_tileas.tiled_load
// PARSED: nv_tileas.dot
//
// Bounds, on Blackwell, the default without a computeCapability. A tile is 16,384 bytes, 64 of which
// arrive in a cycle: each load holds the port to L2 for 256 cycles. There are two: the resource bound is 512. The
// product has 128 * 128 * 64 = 1,048,576 multiplications of 16 bits, 4,096 a cycle: 256 cycles, after
// which the next one can add to the accumulator: the recurrence bound is 256 / 1. A tile arrives
// 256 + 479 cycles after its load starts. A ring slot takes 2 * 16 KiB and shared memory has 227
// KiB, so at most 7 stages are affordable: the product cannot start before cycle 735, and (735 + 1) / 7
// rounds up to 106, the dependency bound. No pool limits anything.
//
// At II = 512 the loads take cycles 0 and 256, the second tile is there at 991, and the product starts
// then: in the next stage.
//
// SCHEDULE: tiled_load {{.*}}nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32, {{.*}}tileas.schedule.cycle = 0 : i32
// SCHEDULE: tiled_load {{.*}}nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32, {{.*}}tileas.schedule.cycle = 256 : i32
// SCHEDULE: nv_tileas.dot {{.*}}nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 1 : i32, {{.*}}tileas.schedule.cycle = 991 : i32
// SCHEDULE: tileas.schedule = {generator = "cost-based", ii = 512 : i32, mii = {dependency = 106 : i32, fine = 1 : i32, recurrence = 256 : i32, resource = 512 : i32, self = 256 : i32}, proven = true, stages = 2 : i32}
//
// With the abstract cycles of the reference a load holds tma and tp_smem_wr for 8 cycles, and the
// accumulator is ready after 16, whatever the tiles.
//
// PAGE: ii = 16 : i32, mii = {dependency = 2 : i32, fine = 1 : i32, recurrence = 16 : i32, resource = 16 : i32, self = 8 : i32}
//
// Agents. One product reads both tiles, so they share a pipe of 32,768 bytes per slot. The first load
// starts at 0 and the product has read its tiles at 991 + 256: ceil(1247 / 512) = 3 slots.
//
// AGENTS: %[[DA:.+]] = nv_tileas.make_tiled_tma_desc {{.*}}tmaIdx = 0 : i32
// AGENTS: %[[DB:.+]] = nv_tileas.make_tiled_tma_desc {{.*}}tmaIdx = 1 : i32
// AGENTS: %[[RING:.+]] = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<3x2x128x64xf16, smem>
// AGENTS: %[[PIPE:.+]] = nv_tileas.async.pipeline.create_pipeline %[[RING]]{{.*}}numStages = 3 : i32
// AGENTS: agent_switch({{.*}}max_regs = array<i32: 40, 232>, {{.*}}num_warps = array<i32: 4, 4>
// AGENTS: scf.for %[[K:.+]] = {{.*}} iter_args(%[[IT:.+]] = {{.*}}) -> (!nv_tileas.iter<producer>)
// AGENTS: %[[OWN:.+]] = nv_tileas.async.pipeline.producer_acquire %[[PIPE]], %[[IT]]
// AGENTS: %[[FULL:.+]] = nv_tileas.async.pipeline.producer_write %[[PIPE]], %[[OWN]]
// AGENTS: ^bb0(%[[SA:.+]]: tensor<128x64xf16>, %[[SB:.+]]: tensor<128x64xf16>):
// AGENTS: nv_tileas.async.tiled_tma_load %[[DA]][%{{.+}}, %[[K]]] to %[[SA]] barrier %[[OWN]]
// AGENTS: nv_tileas.async.tiled_tma_load %[[DB]][%{{.+}}, %[[K]]] to %[[SB]] barrier %[[OWN]]
// AGENTS: nv_tileas.async.pipeline.producer_commit %[[PIPE]], %[[FULL]] bytes 32768
// AGENTS: nv_tileas.async.pipeline.inc_iter %[[IT]]
// AGENTS: }, {
// AGENTS: %[[ZERO:.+]] = arith.constant dense<0.000000e+00>
// AGENTS: %[[SUM:.+]]:2 = scf.for {{.*}} iter_args(%[[ACC:.+]] = %[[ZERO]], %[[AT:.+]] = {{.*}}) -> (tensor<128x128xf32>, !nv_tileas.iter<consumer>)
// AGENTS: %[[READY:.+]] = nv_tileas.async.pipeline.consumer_wait %[[PIPE]], %[[AT]]
// AGENTS: %[[READ:.+]]:2 = nv_tileas.async.pipeline.consumer_read %[[PIPE]], %[[READY]]
// AGENTS: ^bb0(%[[A:.+]]: tensor<128x64xf16>, %[[B:.+]]: tensor<128x64xf16>):
// AGENTS: %[[NEXT:.+]] = nv_tileas.dot %[[A]], %[[B]], %[[ACC]]
// AGENTS: nv_tileas.async.pipeline.yield %[[NEXT]]
// AGENTS: nv_tileas.async.pipeline.consumer_release %[[PIPE]], %[[READ]]#0
// AGENTS: scf.yield %[[READ]]#1
// AGENTS: nv_tileas.tiled_store %[[SUM]]#0
// AGENTS-NOT: nv_tileas.tiled_load

nv_tileaa.func @gemm(
    %A: !nv_tileaa.memref<?x?xf16>, %B: !nv_tileaa.memref<?x?xf16>,
    %D: !nv_tileaa.memref<?x?xf32>, %k_tiles: index
  ) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
  %m = nv_tileaa.get_program_id axis 0
  %n = nv_tileaa.get_program_id axis 1
  %token = nv_tileaa.create_mem_token
  %A_tiles = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %B_tiles = nv_tileaa.block_tile %B : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %D_tiles = nv_tileaa.block_tile %D : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x128xf32, gmem>
  %sum = scf.for %k = %c0 to %k_tiles step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
    %a, %a_token = nv_tileas.tiled_load %A_tiles[%m, %k] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak", tileas.schedule.constraint.gid = 1 : i32,
        tileas.schedule.constraint.leader_gid = 1 : i32
      } : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %b, %b_token = nv_tileas.tiled_load %B_tiles[%n, %k] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak", tileas.schedule.constraint.gid = 2 : i32,
        tileas.schedule.constraint.leader_gid = 1 : i32
      } : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %next = nv_tileas.dot %a, %b, %acc {
        atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">,
        tileas.schedule.constraint.gid = 3 : i32, tileas.schedule.constraint.leader_gid = 3 : i32
      } : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %stored = nv_tileas.tiled_store %sum, %D_tiles[%m, %n] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak"
    } : tensor<128x128xf32>, !nv_tileaa.tiled_view<128x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
