// Attention of 128 queries and 128 keys with heads of 128 on Hopper. The products of an iteration take 2,048
// cycles of the tensor cores. The tiles of an iteration do not fit in the registers of four warps; with agents
// chosen together with the schedule, and iterations that overlap inside of them, the executed interval is that
// of the schedule within 2%, and the tensor cores are busy for more than 80% of all cycles, with the first
// loads and the stores.

// RUN: orison-opt %s --tileas-generate-schedule='strategy=joint joint-warps=16 joint-work=0' -o %t.scheduled.mlir
// RUN: orison-opt %t.scheduled.mlir --tileas-materialize-schedule --tileas-verify-pipelines -o %t.mlir
// RUN: orison-interpret %t.mlir --entry attention --tiles 16 --timed --check-interval=2 | FileCheck %s --check-prefix=TIMED
// RUN: orison-interpret %t.mlir --entry attention --tiles 4 --args='[null, null, null, null, 3]' --random-inputs 3 --interleavings 10 --compare-with %s | FileCheck %s --check-prefix=SAME

// With its work, `joint` chooses between more agents by their prediction. One that leaves out the copies of what is
// passed and the order in which agents get units chooses agents that take 2123 cycles.

// RUN: orison-opt %s --tileas-generate-schedule='strategy=joint joint-warps=16' --tileas-materialize-schedule -o %t.judged.mlir
// RUN: orison-interpret %t.judged.mlir --entry attention --tiles 16 --timed --check-interval=2 | FileCheck %s --check-prefix=TIMED

// TIMED: scheduled executed ratio
// TIMED-COUNT-2: {{[0-9]+:[0-9]+}} agent {{[01]}} {{[0-9]+}} 2048 20{{[0-9][0-9]}}.00
// TIMED: tc_and_mma 32768 8{{[0-9]}}.{{[0-9]}}%

// SAME: same memory

nv_tileaa.func @attention(%Q: !nv_tileaa.memref<?x?xf16>, %K: !nv_tileaa.memref<?x?xf16>, %V: !nv_tileaa.memref<?x?xf16>, %O: !nv_tileaa.memref<?x?xf32>, %blocks: index) attributes {nv_tileaa.kernel_spec = {computeCapability = 90 : i32, numWarps = 12 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %no_score = arith.constant dense<0.0> : tensor<128x128xf32>
  %no_output = arith.constant dense<0.0> : tensor<128x128xf32>
  %minus_infinity = arith.constant dense<0xFF800000> : tensor<128xf32>
  %no_sum = arith.constant dense<0.0> : tensor<128xf32>
  %scale = arith.constant dense<1.803000e-01> : tensor<128x128xf32>
  %row = nv_tileaa.get_program_id axis 0
  %token = nv_tileaa.create_mem_token
  %Qt = nv_tileaa.block_tile %Q : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x128xf16, gmem>
  %Kt = nv_tileaa.block_tile %K : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x128xf16, gmem>
  %Vt = nv_tileaa.block_tile %V : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x128xf16, gmem>
  %Ot = nv_tileaa.block_tile %O : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x128xf32, gmem>
  %r0 = arith.addi %row, %c0 : index
  %q0, %qt0 = nv_tileas.tiled_load %Qt[%r0, %c0] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 128]>, in_bounds = array<i1: true, true>, mem_semantic = "weak"} : !nv_tileaa.tiled_view<128x128xf16, gmem> -> tensor<128x128xf16>, !nv_tileaa.mem_token
  %me0, %se0, %oe0 = scf.for %block = %c0 to %blocks step %c1 iter_args(%max0 = %minus_infinity, %sum0 = %no_sum, %output0 = %no_output) -> (tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>) {
    %k, %k_token = nv_tileas.tiled_load %Kt[%block, %c0] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 128]>, in_bounds = array<i1: true, true>, mem_semantic = "weak"} : !nv_tileaa.tiled_view<128x128xf16, gmem> -> tensor<128x128xf16>, !nv_tileaa.mem_token
    %v, %v_token = nv_tileas.tiled_load %Vt[%block, %c0] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 128]>, in_bounds = array<i1: true, true>, mem_semantic = "weak"} : !nv_tileaa.tiled_view<128x128xf16, gmem> -> tensor<128x128xf16>, !nv_tileaa.mem_token
    %s0 = nv_tileas.dot %q0, %k, %no_score {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">} : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %sc0 = arith.mulf %s0, %scale : tensor<128x128xf32>
    %bm0 = nv_tileas.reduce %sc0 axis 1 : tensor<128x128xf32> -> tensor<128xf32> {
    ^bb0(%x: f32, %y: f32):
      %both = arith.maximumf %x, %y : f32
      nv_tileas.yield %both : f32
    }
    %nm0 = arith.maximumf %max0, %bm0 : tensor<128xf32>
    %mt0 = "cuda_tile.broadcast"(%nm0) {tileas.schedule.cost_of = "nv_tileas.view"} : (tensor<128xf32>) -> tensor<128x128xf32>
    %ce0 = arith.subf %sc0, %mt0 : tensor<128x128xf32>
    %p0 = "cuda_tile.exp2"(%ce0) {tileas.schedule.cost_of = "math.exp2"} : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %sh0 = arith.subf %max0, %nm0 : tensor<128xf32>
    %al0 = "cuda_tile.exp2"(%sh0) {tileas.schedule.cost_of = "math.exp2"} : (tensor<128xf32>) -> tensor<128xf32>
    %bs0 = nv_tileas.reduce %p0 axis 1 : tensor<128x128xf32> -> tensor<128xf32> {
    ^bb0(%x: f32, %y: f32):
      %both = arith.addf %x, %y : f32
      nv_tileas.yield %both : f32
    }
    %ss0 = arith.mulf %sum0, %al0 : tensor<128xf32>
    %ns0 = arith.addf %ss0, %bs0 : tensor<128xf32>
    %at0 = "cuda_tile.broadcast"(%al0) {tileas.schedule.cost_of = "nv_tileas.view"} : (tensor<128xf32>) -> tensor<128x128xf32>
    %os0 = arith.mulf %output0, %at0 : tensor<128x128xf32>
    %ph0 = arith.truncf %p0 : tensor<128x128xf32> to tensor<128x128xf16>
    %no0 = nv_tileas.dot %ph0, %v, %os0 {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16", b = "kn">} : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %nm0, %ns0, %no0 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
  }
  %st0 = "cuda_tile.broadcast"(%se0) : (tensor<128xf32>) -> tensor<128x128xf32>
  %n0 = arith.divf %oe0, %st0 : tensor<128x128xf32>
  %stored0 = nv_tileas.tiled_store %n0, %Ot[%r0, %c0] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak"} : tensor<128x128xf32>, !nv_tileaa.tiled_view<128x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
