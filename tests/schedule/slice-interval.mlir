// RUN: sed 's/sliceCount/test.unused/' %s > %t.whole.mlir
// RUN: orison-opt %t.whole.mlir --allow-unregistered-dialect --tileas-generate-schedule | FileCheck %s --check-prefix=WHOLE
// RUN: orison-opt %s --tileas-slice --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=SLICED
// RUN: orison-opt %s --tileas-slice -o %t.sliced.mlir
// RUN: orison-interpret %t.sliced.mlir --entry recurrence --tiles 4 --random-inputs 3 --compare-with %s
// RUN: orison-opt %s --tileas-slice --tileas-generate-schedule --tileas-materialize-schedule -o %t.agents.mlir
// RUN: orison-interpret %t.agents.mlir --entry recurrence --tiles 4 --random-inputs 3 --compare-with %s
//
// A recurrence over rows: an iteration needs the state of the one before. As a whole, each operation waits
// for all elements of the one before it: the interval is the sum of the latencies. The slices are
// independent recurrences; while one is in the transcendental unit, others add and multiply, and the
// interval is the cycles of that unit: 64 * 128 exponentials at 16 a cycle, 512.
//
// WHOLE: ii = 668 : i32, mii = {{.*}}recurrence = 668 : i32, resource = 512 : i32{{.*}}proven = true
// SLICED: ii = 512 : i32, mii = {{.*}}recurrence = 188 : i32, resource = 512 : i32{{.*}}proven = true

nv_tileaa.func @recurrence(
    %X: !nv_tileaa.memref<?x?xf32>, %Y: !nv_tileaa.memref<?x?xf32>, %steps: index
  ) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, computeCapability = 90 : i32, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.000000e+00> : tensor<64x128xf32>
  %decay = arith.constant dense<-5.000000e-01> : tensor<64x128xf32>
  %token = nv_tileaa.create_mem_token
  %X_tiles = nv_tileaa.block_tile %X : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x128xf32, gmem>
  %Y_tiles = nv_tileaa.block_tile %Y : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x128xf32, gmem>
  %last = scf.for %i = %c0 to %steps step %c1 iter_args(%state = %zero) -> (tensor<64x128xf32>) {
    %x, %x_token = nv_tileas.tiled_load %X_tiles[%i, %c0] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [64, 128]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<64x128xf32, gmem> -> tensor<64x128xf32>, !nv_tileaa.mem_token
    %scaled = arith.mulf %state, %decay : tensor<64x128xf32>
    %sum = arith.addf %scaled, %x : tensor<64x128xf32>
    %next = "cuda_tile.exp2"(%sum) {tileas.schedule.cost_of = "math.exp2"} : (tensor<64x128xf32>) -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  } {sliceCount = 4 : i32}
  %stored = nv_tileas.tiled_store %last, %Y_tiles[%c0, %c0] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak"
    } : tensor<64x128xf32>, !nv_tileaa.tiled_view<64x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
