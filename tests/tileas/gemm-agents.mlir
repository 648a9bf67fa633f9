// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// The loop of the TileAS reference, section 1.12, after scheduling and materialization.

// CHECK-LABEL: nv_tileaa.func @gemm
// CHECK: %[[RING:.*]] = nv_tileas.alloc_tensor in "smem" : !nv_tileas.tiled_view<2x2x128x64xf16, smem>
// CHECK: %[[PIPE:.*]] = nv_tileas.async.pipeline.create_pipeline %[[RING]] : !nv_tileas.tiled_view<2x2x128x64xf16, smem> {
// CHECK: nv_tileas.async.pipeline.agent_switch(%[[PIPE]], %{{.*}}, %{{.*}} : !nv_tileas.pipeline, !nv_tileas.iter<producer>, !nv_tileas.iter<consumer>)
// CHECK: %[[OWN:.*]] = nv_tileas.async.pipeline.producer_acquire %[[PIPE]], %{{.*}} : !nv_tileas.iter<producer>
// CHECK: nv_tileas.async.pipeline.producer_write %[[PIPE]], %[[OWN]] payload [tensor<128x64xf16>, tensor<128x64xf16>] {
// CHECK: nv_tileas.async.pipeline.producer_commit %[[PIPE]], %{{.*}} bytes 32768
// CHECK: nv_tileas.async.pipeline.consumer_wait %[[PIPE]], %{{.*}} consumer 0 : !nv_tileas.iter<consumer>
// CHECK: nv_tileas.async.pipeline.consumer_read
// CHECK: nv_tileas.async.pipeline.consumer_release

"builtin.module"() ({
  "nv_tileaa.func"() <{sym_name = "gemm", function_type = (!nv_tileaa.memref<?x?xf16>, !nv_tileaa.memref<?x?xf16>, !nv_tileaa.memref<?x?xf32>, index) -> ()}> ({
  ^bb0(%A: !nv_tileaa.memref<?x?xf16>, %B: !nv_tileaa.memref<?x?xf16>, %D: !nv_tileaa.memref<?x?xf32>, %kt: index):
    %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %c1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %bm = "nv_tileaa.get_program_id"() <{axis = 0 : i32}> : () -> index
    %bn = "nv_tileaa.get_program_id"() <{axis = 1 : i32}> : () -> index
    %tok = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %va = "nv_tileaa.block_tile"(%A) : (!nv_tileaa.memref<?x?xf16>) -> !nv_tileaa.tiled_view<128x64xf16, gmem>
    %vb = "nv_tileaa.block_tile"(%B) : (!nv_tileaa.memref<?x?xf16>) -> !nv_tileaa.tiled_view<128x64xf16, gmem>
    %vd = "nv_tileaa.block_tile"(%D) : (!nv_tileaa.memref<?x?xf32>) -> !nv_tileaa.tiled_view<128x128xf32, gmem>
    %da = "nv_tileas.make_tiled_tma_desc"(%va) <{atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, tmaIdx = 0 : i32}> : (!nv_tileaa.tiled_view<128x64xf16, gmem>) -> !nv_tileas.tma_desc
    %db = "nv_tileas.make_tiled_tma_desc"(%vb) <{atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, tmaIdx = 1 : i32}> : (!nv_tileaa.tiled_view<128x64xf16, gmem>) -> !nv_tileas.tma_desc
    %ring = "nv_tileas.alloc_tensor"() {memspace = "smem"} : () -> !nv_tileas.tiled_view<2x2x128x64xf16, smem>
    %Pipe_0 = "nv_tileas.async.pipeline.create_pipeline"(%ring) <{numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, sharedMem = true, dynamic = false, payload = [tensor<128x64xf16>, tensor<128x64xf16>]}> {nv_tile.aws.stage = 0 : i32, nv_tile.aws.order = 0 : i32} : (!nv_tileas.tiled_view<2x2x128x64xf16, smem>) -> !nv_tileas.pipeline
    %ip0 = "nv_tileas.async.pipeline.create_iterator"(%Pipe_0) <{role = "producer"}> : (!nv_tileas.pipeline) -> !nv_tileas.iter<producer>
    %ic0 = "nv_tileas.async.pipeline.create_iterator"(%Pipe_0) <{role = "consumer"}> : (!nv_tileas.pipeline) -> !nv_tileas.iter<consumer>
    "nv_tileas.async.pipeline.agent_switch"(%Pipe_0, %ip0, %ic0) <{num_agents_per_group = 1 : i32, max_regs = array<i32: 40, 232>, num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>, agent_strides = array<i32: 1, 1>, isolated = false}> ({
    ^producer:
      %ipN = "scf.for"(%c0, %kt, %c1, %ip0) ({
      ^bb2(%k: index, %it: !nv_tileas.iter<producer>):
        %own = "nv_tileas.async.pipeline.producer_acquire"(%Pipe_0, %it) : (!nv_tileas.pipeline, !nv_tileas.iter<producer>) -> !nv_tileas.producer_token
        %wr = "nv_tileas.async.pipeline.producer_write"(%Pipe_0, %own) <{producer_types = [tensor<128x64xf16>, tensor<128x64xf16>]}> ({
        ^bb3(%sa: tensor<128x64xf16>, %sb: tensor<128x64xf16>):
          %t0 = "nv_tileas.async.tiled_tma_load"(%da, %sa, %bm, %k, %own) <{atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, tmaIdx = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 2, 1>}> {nv_tile.aws.stage = 0 : i32, nv_tile.aws.order = 0 : i32} : (!nv_tileas.tma_desc, tensor<128x64xf16>, index, index, !nv_tileas.producer_token) -> !nv_tileas.async_token
          %t1 = "nv_tileas.async.tiled_tma_load"(%db, %sb, %bn, %k, %own) <{atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, tmaIdx = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 2, 1>}> {nv_tile.aws.stage = 0 : i32, nv_tile.aws.order = 1 : i32} : (!nv_tileas.tma_desc, tensor<128x64xf16>, index, index, !nv_tileas.producer_token) -> !nv_tileas.async_token
          "nv_tileas.async.pipeline.yield"() : () -> ()
        }) : (!nv_tileas.pipeline, !nv_tileas.producer_token) -> !nv_tileas.producer_token
        "nv_tileas.async.pipeline.producer_commit"(%Pipe_0, %wr) <{transaction_bytes = 32768 : i32}> : (!nv_tileas.pipeline, !nv_tileas.producer_token) -> ()
        %nx = "nv_tileas.async.pipeline.inc_iter"(%it) : (!nv_tileas.iter<producer>) -> !nv_tileas.iter<producer>
        "scf.yield"(%nx) : (!nv_tileas.iter<producer>) -> ()
      }) : (index, index, index, !nv_tileas.iter<producer>) -> !nv_tileas.iter<producer>
      "nv_tileas.async.pipeline.yield"() : () -> ()
    }, {
    ^consumer:
      %zero = "arith.constant"() <{value = dense<0.0> : tensor<128x128xf32>}> : () -> tensor<128x128xf32>
      %acc_out, %icN = "scf.for"(%c0, %kt, %c1, %zero, %ic0) ({
      ^bb4(%k: index, %acc: tensor<128x128xf32>, %it: !nv_tileas.iter<consumer>):
        %rdy = "nv_tileas.async.pipeline.consumer_wait"(%Pipe_0, %it) <{consumer_idx = 0 : i32}> : (!nv_tileas.pipeline, !nv_tileas.iter<consumer>) -> !nv_tileas.consumer_token
        %rd, %n = "nv_tileas.async.pipeline.consumer_read"(%Pipe_0, %rdy) <{consumer_idx = 0 : i32, producer_types = [tensor<128x64xf16>, tensor<128x64xf16>]}> ({
        ^bb5(%a: tensor<128x64xf16>, %b: tensor<128x64xf16>):
          %d = "nv_tileas.dot"(%a, %b, %acc) <{atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">}> {nv_tile.aws.stage = 1 : i32, nv_tile.aws.order = 0 : i32} : (tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32>) -> tensor<128x128xf32>
          "nv_tileas.async.pipeline.yield"(%d) : (tensor<128x128xf32>) -> ()
        }) : (!nv_tileas.pipeline, !nv_tileas.consumer_token) -> (!nv_tileas.consumer_token, tensor<128x128xf32>)
        "nv_tileas.async.pipeline.consumer_release"(%Pipe_0, %rd) : (!nv_tileas.pipeline, !nv_tileas.consumer_token) -> ()
        %nx = "nv_tileas.async.pipeline.inc_iter"(%it) : (!nv_tileas.iter<consumer>) -> !nv_tileas.iter<consumer>
        "scf.yield"(%n, %nx) : (tensor<128x128xf32>, !nv_tileas.iter<consumer>) -> ()
      }) : (index, index, index, tensor<128x128xf32>, !nv_tileas.iter<consumer>) -> (tensor<128x128xf32>, !nv_tileas.iter<consumer>)
      %ts = "nv_tileas.tiled_store"(%vd, %acc_out, %bm, %bn, %tok) <{atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak", operandSegmentSizes = array<i32: 1, 1, 2, 0, 1>}> : (!nv_tileaa.tiled_view<128x128xf32, gmem>, tensor<128x128xf32>, index, index, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
      "nv_tileas.async.pipeline.yield"() : () -> ()
    }) : (!nv_tileas.pipeline, !nv_tileas.iter<producer>, !nv_tileas.iter<consumer>) -> ()
    "nv_tileaa.return"() : () -> ()
  }) {nv_tileaa.kernel_spec = {numWarps = 8 : i32, clusterDim = array<i32: 1, 1, 1>}} : () -> ()
}) : () -> ()
