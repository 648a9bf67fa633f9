// RUN: orison-opt %s --tileas-generate-schedule --tileas-materialize-schedule --tileas-verify-pipelines | FileCheck %s --check-prefixes=AGENTS
// RUN: orison-opt %s --tileas-generate-schedule --tileas-materialize-schedule=use-aus | FileCheck %s --check-prefixes=ONE

// The tile of the second load is not used, but its token is: the load is erased, and the store waits
// for the load's input token, from the store of the previous iteration.

// AGENTS-LABEL: @dead_tile
// AGENTS: agent_switch
// AGENTS: scf.for
// AGENTS: async.tiled_tma_load
// AGENTS: scf.for {{.*}} iter_args({{.*}}[[BEFORE:%[a-z0-9_]+]] = %{{[a-z0-9_]+}}
// AGENTS-NOT: ldg_128
// AGENTS: tiled_store {{.*}} token
// AGENTS-NOT: ldg_128
// ONE-LABEL: @dead_tile
// ONE-NOT: ldg_128
// ONE: produce_one_async
// ONE-NOT: ldg_128
nv_tileaa.func @dead_tile(%K: !nv_tileaa.memref<?x?xf16>, %D: !nv_tileaa.memref<?x?xf32>, %n: index, %p: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<8x8xf32>
  %token = nv_tileaa.create_mem_token
  %Kt = nv_tileaa.block_tile %K : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<8x8xf16, gmem>
  %Dt = nv_tileaa.block_tile %D : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<8x8xf32, gmem>
  %y, %end = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %z, %tt = %token) -> (tensor<8x8xf32>, !nv_tileaa.mem_token) {
    %k, %u = nv_tileas.tiled_load %Kt[%j, %c0] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [8, 8]>, in_bounds = array<i1: true, true>, mem_semantic = "weak"} : !nv_tileaa.tiled_view<8x8xf16, gmem> -> tensor<8x8xf16>, !nv_tileaa.mem_token
    %dead, %v = nv_tileas.tiled_load %Dt[%j, %c0] token %tt : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"ldg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak"} : !nv_tileaa.tiled_view<8x8xf32, gmem> -> tensor<8x8xf32>, !nv_tileaa.mem_token
    %s = nv_tileas.dot %k, %k, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf32> -> tensor<8x8xf32>
    %w = nv_tileas.tiled_store %s, %Dt[%p, %j] token %v : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak"} : tensor<8x8xf32>, !nv_tileaa.tiled_view<8x8xf32, gmem> -> !nv_tileaa.mem_token
    scf.yield %s, %w : tensor<8x8xf32>, !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
