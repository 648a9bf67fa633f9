// RUN: orison-opt %s --tileas-generate-schedule --tileas-verify-schedule -o %t.scheduled.mlir
// RUN: FileCheck %s --check-prefix=SCHEDULE < %t.scheduled.mlir
// RUN: orison-opt %t.scheduled.mlir --tileas-assign-buffers | FileCheck %s --check-prefix=BUFFERS
// RUN: orison-opt %t.scheduled.mlir --tileas-materialize-schedule='rotate=false' --tileas-verify-pipelines -o %t.mlir
// RUN: FileCheck %s --check-prefix=AGENTS < %t.mlir
// RUN: orison-interpret %t.mlir --entry sums --tiles 4 --args='[null, null, null, 3]' --random-inputs 3 --interleavings 20 --compare-with %s | FileCheck %s --check-prefix=SAME
// RUN: orison-opt %t.scheduled.mlir --tileas-materialize-schedule --tileas-verify-pipelines -o %t.rotated.mlir
// RUN: orison-interpret %t.rotated.mlir --entry sums --tiles 4 --args='[null, null, null, 4]' --random-inputs 3 --interleavings 20 --compare-with %s | FileCheck %s --check-prefix=SAME

// Two allocations in tensor memory that agents hand over: one agent starts products into them and waits for
// these; another one copies the sums to registers. Nothing is passed in shared memory but the tiles of loads.
//
// The second product writes what the copies of the first read only after that, in each iteration; a product
// that writes one allocation does not wait for a copy of the other. The hand-over of an allocation takes two
// signals of 29 cycles, and the wait for the product one: a product of 128 x 64 x 16 reads 6 KiB of shared
// memory in 48 cycles, and the copy takes 64 + 29 (32 KiB at 512 bytes a cycle). The next product into the same
// allocation starts after these: 48 + 29 + 58 + 93 + 58 = 286 cycles.
//
// SCHEDULE: ii = 286 : i32, mii = {{.*}}recurrence = 286 : i32
//
// Allocations take 64 columns each.
//
// BUFFERS: tileas.buffers = {{.*}}tmem_columns = 128
// BUFFERS: alloc_tensor in "tmem" {{.*}}class = "tmem", column = 0
// BUFFERS: alloc_tensor in "tmem" {{.*}}class = "tmem", column = 64
//
// One mutex for each allocation, entered before the product and left after the wait for it.
//
// AGENTS: %[[FIRST:.+]] = nv_tileas.alloc_tensor in "tmem"
// AGENTS: %[[SECOND:.+]] = nv_tileas.alloc_tensor in "tmem"
// AGENTS-COUNT-2: kind = "mutex"
// AGENTS-NOT: kind = "mutex"
// AGENTS: agent_switch
// AGENTS: producer_acquire %[[MUTEX:Mutex_[01]]]
// AGENTS: nv_tileas.async.dot {{.*}} %[[FIRST]] if
// AGENTS: nv_tileas.async.wait
// AGENTS: producer_commit %[[MUTEX]]
// AGENTS: }, {
// AGENTS: consumer_wait %[[MUTEX]]
// AGENTS: nv_tileas.copy %[[FIRST]] {atom = #nv_tileas.atom<"tcgen05_ld_32x32b_x64">
// AGENTS: consumer_release %[[MUTEX]]
//
// SAME: same memory

nv_tileaa.func @sums(%A: !nv_tileaa.memref<?x?xf16>, %B: !nv_tileaa.memref<?x?xf16>, %D: !nv_tileaa.memref<?x?xf32>, %n: index) attributes {nv_tileaa.kernel_spec = {computeCapability = 100 : i32, numWarps = 12 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %token = nv_tileaa.create_mem_token
  %At = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x16xf16, gmem>
  %Bt = nv_tileaa.block_tile %B : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x16xf16, gmem>
  %Dt = nv_tileaa.block_tile %D : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x64xf32, gmem>
  %first = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<128x64xf32, tmem>
  %second = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<128x64xf32, tmem>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32>) {
    %a, %ta = nv_tileas.tiled_load %At[%c0, %i] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 16]>, in_bounds = array<i1: true, true>, mem_semantic = "weak"} : !nv_tileaa.tiled_view<128x16xf16, gmem> -> tensor<128x16xf16>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %Bt[%c0, %i] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 16]>, in_bounds = array<i1: true, true>, mem_semantic = "weak"} : !nv_tileaa.tiled_view<64x16xf16, gmem> -> tensor<64x16xf16>, !nv_tileaa.mem_token
    %d0, %done0 = nv_tileas.async.dot %a, %b, %first if %false : i1 {atom = #nv_tileas.atom<"tcgen05_mma_m128n64k16_f32_f16_f16">, nv_tile.aws.agent = 1 : i32} : tensor<128x16xf16>, tensor<64x16xf16>, !nv_tileas.tiled_view<128x64xf32, tmem> -> !nv_tileas.tiled_view<128x64xf32, tmem>
    nv_tileas.async.wait %done0 {nv_tile.aws.agent = 1 : i32}
    %s0 = nv_tileas.copy %first {atom = #nv_tileas.atom<"tcgen05_ld_32x32b_x64">, nv_tile.aws.agent = 2 : i32} : !nv_tileas.tiled_view<128x64xf32, tmem> -> tensor<128x64xf32>
    %d1, %done1 = nv_tileas.async.dot %a, %b, %second if %false : i1 {atom = #nv_tileas.atom<"tcgen05_mma_m128n64k16_f32_f16_f16">, nv_tile.aws.agent = 1 : i32} : tensor<128x16xf16>, tensor<64x16xf16>, !nv_tileas.tiled_view<128x64xf32, tmem> -> !nv_tileas.tiled_view<128x64xf32, tmem>
    nv_tileas.async.wait %done1 {nv_tile.aws.agent = 1 : i32}
    %s1 = nv_tileas.copy %second {atom = #nv_tileas.atom<"tcgen05_ld_32x32b_x64">, nv_tile.aws.agent = 2 : i32} : !nv_tileas.tiled_view<128x64xf32, tmem> -> tensor<128x64xf32>
    %both = arith.mulf %s0, %s1 {nv_tile.aws.agent = 2 : i32} : tensor<128x64xf32>
    %next = arith.addf %acc, %both {nv_tile.aws.agent = 2 : i32} : tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  } {nv_tile.aws.agents = [{role = "load"}, {role = "mma"}, {role = "epilogue"}]}
  %stored = nv_tileas.tiled_store %sum, %Dt[%c0, %c0] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak", nv_tile.aws.agent = 2 : i32} : tensor<128x64xf32>, !nv_tileaa.tiled_view<128x64xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
