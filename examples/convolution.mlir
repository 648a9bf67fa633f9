// Convolution as implicit GEMM. The input (NHWC, already padded, one image) is seen with five axes:
// row and column of the output, row and column of the filter, channel. The strides of the first two
// are those of the next two, so the matrix of patches exists only as addresses. A block computes 128
// pixels of a row of the output for 128 filters; K runs over the filter and the channels in tiles of
// 64. The filters are stored with K innermost.
//
// RUN: orison-opt %s | orison-opt | FileCheck %s --check-prefix=PARSED
// RUN: orison-opt --machine=page %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=SCHEDULE
// RUN: orison-opt %s --tileas-generate-schedule --tileas-verify-schedule | FileCheck %s --check-prefix=SHAPED
// RUN: orison-opt --machine=page %s --tileas-generate-schedule --tileas-materialize-schedule | FileCheck %s --check-prefix=AGENTS
//
// PARSED: nv_tileaa.make_memref {{.*}} strides[%[[ROW:[^,]+]], %[[PIXEL:[^,]+]], %[[ROW]], %[[PIXEL]], %{{[^,]+}}]
//
// Bounds. The four divisions that find the place in the filter hold their slot for 8 cycles each: 32,
// twice what the loads need.
//
// SCHEDULE: ii = 32 : i32, mii = {dependency = {{[0-9]+}} : i32, fine = 1 : i32, recurrence = 16 : i32, resource = 32 : i32, self = 8 : i32}, proven = true, stages = 2 : i32
//
// With costs by shape the loads decide, as in gemm.mlir: a division of a coordinate takes one cycle.
//
// SHAPED: ii = 512 : i32, mii = {{.*}}recurrence = 256 : i32, resource = 512 : i32
//
// Agents. Where in the filter an iteration is, is coordinates and nothing else, so the divisions are
// the producer's, and the consumer has only the product. The producer computes the coordinates of the next
// iteration while TMA loads.
//
// AGENTS-COUNT-2: create_pipeline
// AGENTS: agent_switch
// AGENTS: scf.for %[[K:[^ ]+]] = {{.*}}, %[[CHANNEL:[^ ]+]] = %{{[^ ]+}}, %[[COLUMN:[^ ]+]] = %{{[^ ]+}}, %[[ROW:[^ ]+]] = %{{[^ ]+}}) ->
// AGENTS: %[[PLACE:.+]] = arith.divui %[[K]], %[[TILES:[^ ]+]] : index
// AGENTS: nv_tileas.async.tiled_tma_load %{{.+}}[%{{[^,]+}}, %{{[^,]+}}, %[[ROW]], %[[COLUMN]], %[[CHANNEL]]] to
// AGENTS-DAG: %[[NEXT_CHANNEL:.+]] = arith.remui %[[K]], %[[TILES]] : index
// AGENTS-DAG: %[[NEXT_COLUMN:.+]] = arith.remui %[[PLACE]], %[[WIDTH:[^ ]+]] : index
// AGENTS-DAG: %[[NEXT_ROW:.+]] = arith.divui %[[PLACE]], %[[WIDTH]] : index
// AGENTS: scf.yield {{.*}}, %[[NEXT_CHANNEL]], %[[NEXT_COLUMN]], %[[NEXT_ROW]] :
// AGENTS: }, {
// AGENTS-NOT: arith.remui
// AGENTS: nv_tileas.async.dot
// AGENTS: nv_tileas.tiled_store

nv_tileaa.func @convolution(
    %X: !nv_tileaa.ptr<f16>, %W: !nv_tileaa.memref<?x?xf16>, %D: !nv_tileaa.memref<?x?x?xf32>,
    %rows: index, %columns: index, %filter_rows: index, %filter_columns: index,
    %channel_tiles: index, %row_stride: index, %channels: index
  ) attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
  %row = nv_tileaa.get_program_id axis 0
  %column = nv_tileaa.get_program_id axis 1
  %filter = nv_tileaa.get_program_id axis 2
  %token = nv_tileaa.create_mem_token
  %patches = nv_tileaa.make_memref %X sizes [%rows, %columns, %filter_rows, %filter_columns, %channels] strides [%row_stride, %channels, %row_stride, %channels, %c1] : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?x?x?x?x?xf16>
  %patch_tiles = nv_tileaa.block_tile %patches : !nv_tileaa.memref<?x?x?x?x?xf16> -> !nv_tileaa.tiled_view<1x128x1x1x64xf16, gmem>
  %W_tiles = nv_tileaa.block_tile %W : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %D_tiles = nv_tileaa.block_tile %D : !nv_tileaa.memref<?x?x?xf32> -> !nv_tileaa.tiled_view<1x128x128xf32, gmem>
  %filter_size = arith.muli %filter_rows, %filter_columns : index
  %k_tiles = arith.muli %filter_size, %channel_tiles : index
  %sum = scf.for %k = %c0 to %k_tiles step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
    %channel = arith.remui %k, %channel_tiles : index
    %place = arith.divui %k, %channel_tiles : index
    %filter_column = arith.remui %place, %filter_columns : index
    %filter_row = arith.divui %place, %filter_columns : index
    %patch, %patch_token = nv_tileas.tiled_load %patch_tiles[%row, %column, %filter_row, %filter_column, %channel] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_5d", box = [1, 128, 1, 1, 64]>,
        in_bounds = array<i1: true, true, true, true, true>, mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<1x128x1x1x64xf16, gmem> -> tensor<1x128x1x1x64xf16>, !nv_tileaa.mem_token
    %w, %w_token = nv_tileas.tiled_load %W_tiles[%filter, %k] token %token : !nv_tileaa.mem_token {
        atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak"
      } : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %pixels = nv_tileas.view %patch : tensor<1x128x1x1x64xf16> -> tensor<128x64xf16>
    %next = nv_tileas.dot %pixels, %w, %acc {
        atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">
      } : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %output = nv_tileas.view %sum : tensor<128x128xf32> -> tensor<1x128x128xf32>
  %stored = nv_tileas.tiled_store %output, %D_tiles[%row, %column, %filter] token %token : !nv_tileaa.mem_token {
      atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true, true>, mem_semantic = "weak"
    } : tensor<1x128x128xf32>, !nv_tileaa.tiled_view<1x128x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
