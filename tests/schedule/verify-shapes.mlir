// RUN: orison-opt --split-input-file --verify-diagnostics %s --tileas-verify-shapes

// 64 x 32 tiles for clusters of 2 x 1, 64 K steps, products of 64 x 128 x 16.
nv_tileaa.func @fits(%a: tensor<128x64xf16>, %b: tensor<128x64xf16>, %c: tensor<128x128xf32>) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 2, 1, 1>, numWarps = 8 : i32}, tileas.shapes = {problem = array<i64: 8192, 4096, 4096, 1>, tile = array<i64: 128, 128, 64>, ctas = 2 : i32}} {
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
  nv_tileaa.return
}

// -----

// Without shapes, the kernel is not checked.
// expected-warning @-3 {{pass 'tileas-verify-shapes' found nothing to do: no kernel has 'tileas.shapes'}}
nv_tileaa.func @unknown() attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 2, 1, 1>}} {
  nv_tileaa.return
}

// -----

// Five tiles along M are not a multiple of clusters of two, unless the remainder is masked.
// expected-error @+1 {{'nv_tileaa.func' op tile shape does not match problem/cluster shape: 5 tiles along M are not a multiple of 2 blocks of a cluster, and the tail is not masked}}
nv_tileaa.func @tail() attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 2, 1, 1>}, tileas.shapes = {problem = array<i64: 513, 128, 64, 1>, tile = array<i64: 128, 128, 64>, ctas = 2 : i32}} {
  nv_tileaa.return
}

// -----

nv_tileaa.func @masked_tail() attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 2, 1, 1>}, tileas.shapes = {masked, problem = array<i64: 513, 128, 64, 1>, tile = array<i64: 128, 128, 64>, ctas = 2 : i32}} {
  nv_tileaa.return
}

// -----

// expected-error @+1 {{M of the tile must be a positive power of two, got 96}}
nv_tileaa.func @power_of_two() attributes {tileas.shapes = {problem = array<i64: 512, 128, 64, 1>, tile = array<i64: 96, 128, 64>}} {
  nv_tileaa.return
}

// -----

// expected-error @+1 {{a cluster has 2 blocks, but a tile requires 1}}
nv_tileaa.func @ctas() attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 2, 1, 1>}, tileas.shapes = {problem = array<i64: 512, 128, 64, 1>, tile = array<i64: 128, 128, 64>}} {
  nv_tileaa.return
}

// -----

nv_tileaa.func @product(%a: tensor<128x64xf16>, %b: tensor<128x64xf16>, %c: tensor<128x128xf32>) attributes {tileas.shapes = {problem = array<i64: 512, 512, 64, 1>, tile = array<i64: 128, 128, 64>}} {
  // expected-error @+1 {{'nv_tileas.dot' op tile shape does not match problem/cluster shape: N 128 of the tile is not a multiple of 256 of the product}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"wgmma_m64n256k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
  nv_tileaa.return
}

// -----

// 100 elements along K are one tile of 64 and 36 elements: the last load reads beyond the end.
nv_tileaa.func @k_tail(%p: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {tileas.shapes = {problem = array<i64: 512, 512, 100, 1>, tile = array<i64: 128, 128, 64>}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  scf.for %k = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"ldg_128">, in_bounds = array<i1: true, false>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    // expected-error @+1 {{'nv_tileas.tiled_load' op must not be in bounds along K: 100 elements are not a multiple of 64 of a tile}}
    %b, %tb = nv_tileas.tiled_load %view[%c0, %k] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"ldg_128">, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// -----

// expected-error @+1 {{attribute 'tileas.shapes' must be {problem = array<i64: M, N, K, L>, tile = array<i64: M, N, K>}}}
nv_tileaa.func @malformed() attributes {tileas.shapes = {problem = array<i64: 512>, tile = array<i64: 128, 128, 64>}} {
  nv_tileaa.return
}
