// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// The loop of the TileAS reference, section 1.11, before scheduling.

// CHECK-LABEL: nv_tileaa.func @gemm
// CHECK: scf.for
// CHECK: nv_tileas.tiled_load %{{.*}}[%{{.*}}, %{{.*}}] token %{{.*}} : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>, mem_semantic = "weak", tileas.schedule.constraint.gid = 1 : i32
// CHECK: nv_tileas.dot
// CHECK: nv_tileas.tiled_store

"builtin.module"() ({
  "nv_tileaa.func"() <{sym_name = "gemm", function_type = (!nv_tileaa.memref<?x?xf16>, !nv_tileaa.memref<?x?xf16>, !nv_tileaa.memref<?x?xf32>, index) -> ()}> ({
  ^bb0(%A: !nv_tileaa.memref<?x?xf16>, %B: !nv_tileaa.memref<?x?xf16>, %D: !nv_tileaa.memref<?x?xf32>, %kt: index):
    %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %c1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %zero = "arith.constant"() <{value = dense<0.0> : tensor<128x128xf32>}> : () -> tensor<128x128xf32>
    %bm = "nv_tileaa.get_program_id"() <{axis = 0 : i32}> : () -> index
    %bn = "nv_tileaa.get_program_id"() <{axis = 1 : i32}> : () -> index
    %tok = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %va = "nv_tileaa.block_tile"(%A) : (!nv_tileaa.memref<?x?xf16>) -> !nv_tileaa.tiled_view<128x64xf16, gmem>
    %vb = "nv_tileaa.block_tile"(%B) : (!nv_tileaa.memref<?x?xf16>) -> !nv_tileaa.tiled_view<128x64xf16, gmem>
    %vd = "nv_tileaa.block_tile"(%D) : (!nv_tileaa.memref<?x?xf32>) -> !nv_tileaa.tiled_view<128x128xf32, gmem>
    %acc_out = "scf.for"(%c0, %kt, %c1, %zero) ({
    ^bb1(%k: index, %acc: tensor<128x128xf32>):
      %a, %ta = "nv_tileas.tiled_load"(%va, %bm, %k, %tok) <{atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>, mem_semantic = "weak", operandSegmentSizes = array<i32: 1, 2, 0, 1>}> {tileas.schedule.constraint.gid = 1 : i32, tileas.schedule.constraint.leader_gid = 1 : i32} : (!nv_tileaa.tiled_view<128x64xf16, gmem>, index, index, !nv_tileaa.mem_token) -> (tensor<128x64xf16>, !nv_tileaa.mem_token)
      %b, %tb = "nv_tileas.tiled_load"(%vb, %bn, %k, %tok) <{atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>, mem_semantic = "weak", operandSegmentSizes = array<i32: 1, 2, 0, 1>}> {tileas.schedule.constraint.gid = 2 : i32, tileas.schedule.constraint.leader_gid = 1 : i32} : (!nv_tileaa.tiled_view<128x64xf16, gmem>, index, index, !nv_tileaa.mem_token) -> (tensor<128x64xf16>, !nv_tileaa.mem_token)
      %n = "nv_tileas.dot"(%a, %b, %acc) <{atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">}> {tileas.schedule.constraint.gid = 3 : i32, tileas.schedule.constraint.leader_gid = 3 : i32} : (tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32>) -> tensor<128x128xf32>
      "scf.yield"(%n) : (tensor<128x128xf32>) -> ()
    }) : (index, index, index, tensor<128x128xf32>) -> tensor<128x128xf32>
    %ts = "nv_tileas.tiled_store"(%vd, %acc_out, %bm, %bn, %tok) <{atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak", operandSegmentSizes = array<i32: 1, 1, 2, 0, 1>}> : (!nv_tileaa.tiled_view<128x128xf32, gmem>, tensor<128x128xf32>, index, index, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) {nv_tileaa.kernel_spec = {numWarps = 8 : i32, clusterDim = array<i32: 1, 1, 1>}} : () -> ()
}) : () -> ()
