// Attention of two tiles of 128 queries, 128 keys and heads of 128 on Blackwell, with the roles of FlashAttention-4:
// load, MMA, softmax for each tile, correction, epilogue. Scores, probabilities and outputs are in tensor memory,
// the scores of both tiles in turn in one allocation, so that all of them take 512 columns.
//
// The four products of an iteration take 2,048 cycles of the tensor cores, the exponentials 2,064 of the
// transcendental unit. An agent that computes a softmax has the registers of one tile, so its operations follow
// each other: 157 cycles to copy the scores, 314 + 7 + 6 for the maximum, 133 to subtract it, 1042 for the
// exponentials, 186 for their sum, 261 to round them, 93 to copy them: 2,199.
//
// RUN: orison-opt %s --tileas-use-tensor-memory --tileas-generate-schedule='exact-work=1000 ejection-work=1000' --tileas-verify-schedule -o %t.scheduled.mlir
// RUN: FileCheck %s --check-prefix=SCHEDULE < %t.scheduled.mlir
// RUN: orison-opt %t.scheduled.mlir --tileas-assign-buffers | FileCheck %s --check-prefix=COLUMNS
// RUN: orison-opt %t.scheduled.mlir --tileas-materialize-schedule --tileas-verify-pipelines -o %t.mlir
// RUN: orison-interpret %t.mlir --entry attention --tiles 4 --args='[null, null, null, null, 3]' --random-inputs 3 --interleavings 5 --compare-with %s | FileCheck %s --check-prefix=SAME

// SCHEDULE: recurrence = 2199 : i32, resource = 2064 : i32
// COLUMNS: tmem_columns = 512
// SAME: same memory

nv_tileaa.func @attention(%Q: !nv_tileaa.memref<?x?xf16>, %K: !nv_tileaa.memref<?x?xf16>, %V: !nv_tileaa.memref<?x?xf16>, %O: !nv_tileaa.memref<?x?xf16>, %blocks: index) attributes {nv_tileaa.kernel_spec = {computeCapability = 100 : i32, numWarps = 24 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %false = arith.constant false
  %no_output = arith.constant dense<0.0> : tensor<128x128xf32>
  %minus_infinity = arith.constant dense<0xFF800000> : tensor<128xf32>
  %no_sum = arith.constant dense<0.0> : tensor<128xf32>
  %one = arith.constant dense<1.0> : tensor<128xf32>
  %scale = arith.constant dense<1.275e-01> : tensor<128x128xf32>
  %row_scale = arith.constant dense<-1.275e-01> : tensor<128xf32>
  %block_row = nv_tileaa.get_program_id axis 0
  %r0 = arith.muli %block_row, %c2 : index
  %r1 = arith.addi %r0, %c1 : index
  %token = nv_tileaa.create_mem_token
  %Qt = nv_tileaa.block_tile %Q : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x128xf16, gmem>
  %Kt = nv_tileaa.block_tile %K : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x128xf16, gmem>
  %Vt = nv_tileaa.block_tile %V : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x128xf16, gmem>
  %Ot = nv_tileaa.block_tile %O : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x128xf16, gmem>
    %q0, %q0_token = nv_tileas.tiled_load %Qt[%r0, %c0] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 128]>, in_bounds = array<i1: true, true>, mem_semantic = "weak"} : !nv_tileaa.tiled_view<128x128xf16, gmem> -> tensor<128x128xf16>, !nv_tileaa.mem_token
    %q1, %q1_token = nv_tileas.tiled_load %Qt[%r1, %c0] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 128]>, in_bounds = array<i1: true, true>, mem_semantic = "weak"} : !nv_tileaa.tiled_view<128x128xf16, gmem> -> tensor<128x128xf16>, !nv_tileaa.mem_token
  %me0, %se0, %oe0, %me1, %se1, %oe1 = scf.for %block = %c0 to %blocks step %c1 iter_args(%max0 = %minus_infinity, %sum0 = %no_sum, %o0 = %no_output, %max1 = %minus_infinity, %sum1 = %no_sum, %o1 = %no_output) -> (tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>) {
    %k, %k_token = nv_tileas.tiled_load %Kt[%block, %c0] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 128]>, in_bounds = array<i1: true, true>, mem_semantic = "weak"} : !nv_tileaa.tiled_view<128x128xf16, gmem> -> tensor<128x128xf16>, !nv_tileaa.mem_token
    %v, %v_token = nv_tileas.tiled_load %Vt[%block, %c0] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 128]>, in_bounds = array<i1: true, true>, mem_semantic = "weak"} : !nv_tileaa.tiled_view<128x128xf16, gmem> -> tensor<128x128xf16>, !nv_tileaa.mem_token
    %x0 = nv_tileas.dot %q0, %k, %no_output {atom = #nv_tileas.atom<"tcgen05_mma_m128n128k16_f32_f16_f16">, nv_tile.aws.agent = 1 : i32} : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x1 = nv_tileas.dot %q1, %k, %no_output {atom = #nv_tileas.atom<"tcgen05_mma_m128n128k16_f32_f16_f16">, nv_tile.aws.agent = 1 : i32} : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %bm0 = nv_tileas.reduce %x0 axis 1 attributes {nv_tile.aws.agent = 2 : i32} : tensor<128x128xf32> -> tensor<128xf32> {
    ^bb0(%a: f32, %b: f32):
      %both = arith.maximumf %a, %b : f32
      nv_tileas.yield %both : f32
    }
    %nm0 = arith.maximumf %max0, %bm0 {nv_tile.aws.agent = 2 : i32} : tensor<128xf32>
    %ns0 = arith.mulf %nm0, %row_scale {nv_tile.aws.agent = 2 : i32} : tensor<128xf32>
    %mt0 = "cuda_tile.broadcast"(%ns0) {tileas.schedule.cost_of = "nv_tileas.view", nv_tile.aws.agent = 2 : i32} : (tensor<128xf32>) -> tensor<128x128xf32>
    %ce0 = math.fma %x0, %scale, %mt0 {nv_tile.aws.agent = 2 : i32} : tensor<128x128xf32>
    %p0 = "cuda_tile.exp2"(%ce0) {tileas.schedule.cost_of = "math.exp2", nv_tile.aws.agent = 2 : i32} : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %sh0 = arith.subf %nm0, %max0 {nv_tile.aws.agent = 2 : i32} : tensor<128xf32>
    %sl0 = arith.mulf %sh0, %row_scale {nv_tile.aws.agent = 2 : i32} : tensor<128xf32>
    %al0 = "cuda_tile.exp2"(%sl0) {tileas.schedule.cost_of = "math.exp2", nv_tile.aws.agent = 2 : i32} : (tensor<128xf32>) -> tensor<128xf32>
    %bs0 = nv_tileas.reduce %p0 axis 1 attributes {nv_tile.aws.agent = 2 : i32} : tensor<128x128xf32> -> tensor<128xf32> {
    ^bb0(%a: f32, %b: f32):
      %both = arith.addf %a, %b : f32
      nv_tileas.yield %both : f32
    }
    %ph0 = arith.truncf %p0 {nv_tile.aws.agent = 2 : i32} : tensor<128x128xf32> to tensor<128x128xf16>
    %ss0 = arith.mulf %sum0, %al0 {nv_tile.aws.agent = 2 : i32} : tensor<128xf32>
    %nsum0 = arith.addf %ss0, %bs0 {nv_tile.aws.agent = 2 : i32} : tensor<128xf32>
    %at0 = "cuda_tile.broadcast"(%al0) {tileas.schedule.cost_of = "nv_tileas.view", nv_tile.aws.agent = 4 : i32} : (tensor<128xf32>) -> tensor<128x128xf32>
    %os0 = arith.mulf %o0, %at0 {nv_tile.aws.agent = 4 : i32} : tensor<128x128xf32>
    %no0 = nv_tileas.dot %ph0, %v, %os0 {atom = #nv_tileas.atom<"tcgen05_mma_m128n128k16_f32_f16_f16", b = "kn">, nv_tile.aws.agent = 1 : i32} : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %bm1 = nv_tileas.reduce %x1 axis 1 attributes {nv_tile.aws.agent = 3 : i32} : tensor<128x128xf32> -> tensor<128xf32> {
    ^bb0(%a: f32, %b: f32):
      %both = arith.maximumf %a, %b : f32
      nv_tileas.yield %both : f32
    }
    %nm1 = arith.maximumf %max1, %bm1 {nv_tile.aws.agent = 3 : i32} : tensor<128xf32>
    %ns1 = arith.mulf %nm1, %row_scale {nv_tile.aws.agent = 3 : i32} : tensor<128xf32>
    %mt1 = "cuda_tile.broadcast"(%ns1) {tileas.schedule.cost_of = "nv_tileas.view", nv_tile.aws.agent = 3 : i32} : (tensor<128xf32>) -> tensor<128x128xf32>
    %ce1 = math.fma %x1, %scale, %mt1 {nv_tile.aws.agent = 3 : i32} : tensor<128x128xf32>
    %p1 = "cuda_tile.exp2"(%ce1) {tileas.schedule.cost_of = "math.exp2", nv_tile.aws.agent = 3 : i32} : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %sh1 = arith.subf %nm1, %max1 {nv_tile.aws.agent = 3 : i32} : tensor<128xf32>
    %sl1 = arith.mulf %sh1, %row_scale {nv_tile.aws.agent = 3 : i32} : tensor<128xf32>
    %al1 = "cuda_tile.exp2"(%sl1) {tileas.schedule.cost_of = "math.exp2", nv_tile.aws.agent = 3 : i32} : (tensor<128xf32>) -> tensor<128xf32>
    %bs1 = nv_tileas.reduce %p1 axis 1 attributes {nv_tile.aws.agent = 3 : i32} : tensor<128x128xf32> -> tensor<128xf32> {
    ^bb0(%a: f32, %b: f32):
      %both = arith.addf %a, %b : f32
      nv_tileas.yield %both : f32
    }
    %ph1 = arith.truncf %p1 {nv_tile.aws.agent = 3 : i32} : tensor<128x128xf32> to tensor<128x128xf16>
    %ss1 = arith.mulf %sum1, %al1 {nv_tile.aws.agent = 3 : i32} : tensor<128xf32>
    %nsum1 = arith.addf %ss1, %bs1 {nv_tile.aws.agent = 3 : i32} : tensor<128xf32>
    %at1 = "cuda_tile.broadcast"(%al1) {tileas.schedule.cost_of = "nv_tileas.view", nv_tile.aws.agent = 4 : i32} : (tensor<128xf32>) -> tensor<128x128xf32>
    %os1 = arith.mulf %o1, %at1 {nv_tile.aws.agent = 4 : i32} : tensor<128x128xf32>
    %no1 = nv_tileas.dot %ph1, %v, %os1 {atom = #nv_tileas.atom<"tcgen05_mma_m128n128k16_f32_f16_f16", b = "kn">, nv_tile.aws.agent = 1 : i32} : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %nm0, %nsum0, %no0, %nm1, %nsum1, %no1 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
  } {nv_tile.aws.agents = [{role = "load", registers = 24 : i32}, {role = "mma", registers = 24 : i32}, {role = "softmax", registers = 152 : i32}, {role = "softmax", registers = 152 : i32}, {role = "correction", registers = 136 : i32}, {role = "epilogue", registers = 24 : i32}]}
  %ri0 = arith.divf %one, %se0 {nv_tile.aws.agent = 4 : i32} : tensor<128xf32>
  %se0t = "cuda_tile.broadcast"(%ri0) {tileas.schedule.cost_of = "nv_tileas.view", nv_tile.aws.agent = 4 : i32} : (tensor<128xf32>) -> tensor<128x128xf32>
  %n0 = arith.mulf %oe0, %se0t {nv_tile.aws.agent = 4 : i32} : tensor<128x128xf32>
  %h0 = arith.truncf %n0 {nv_tile.aws.agent = 4 : i32} : tensor<128x128xf32> to tensor<128x128xf16>
  %stored0 = nv_tileas.tiled_store %h0, %Ot[%r0, %c0] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_store_2d", box = [128, 128]>, in_bounds = array<i1: true, true>, mem_semantic = "weak", nv_tile.aws.agent = 5 : i32} : tensor<128x128xf16>, !nv_tileaa.tiled_view<128x128xf16, gmem> -> !nv_tileaa.mem_token
  %ri1 = arith.divf %one, %se1 {nv_tile.aws.agent = 4 : i32} : tensor<128xf32>
  %se1t = "cuda_tile.broadcast"(%ri1) {tileas.schedule.cost_of = "nv_tileas.view", nv_tile.aws.agent = 4 : i32} : (tensor<128xf32>) -> tensor<128x128xf32>
  %n1 = arith.mulf %oe1, %se1t {nv_tile.aws.agent = 4 : i32} : tensor<128x128xf32>
  %h1 = arith.truncf %n1 {nv_tile.aws.agent = 4 : i32} : tensor<128x128xf32> to tensor<128x128xf16>
  %stored1 = nv_tileas.tiled_store %h1, %Ot[%r1, %c0] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_store_2d", box = [128, 128]>, in_bounds = array<i1: true, true>, mem_semantic = "weak", nv_tile.aws.agent = 5 : i32} : tensor<128x128xf16>, !nv_tileaa.tiled_view<128x128xf16, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
