// More mutexes than a block has named barriers: those beyond the fifteenth are on mbarriers, in shared memory.
//
// RUN: orison-opt %s --tileas-generate-schedule --tileas-materialize-schedule --tileas-verify-pipelines --remarks=text -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: FileCheck %s < %t.mlir
// RUN: orison-opt %s --tileas-generate-schedule --tileas-assign-buffers --tileas-materialize-schedule --tileas-verify-pipelines --tileas-assign-buffers=check -o %t.assigned.mlir
// RUN: FileCheck %s --check-prefix=ASSIGNED < %t.assigned.mlir
// RUN: orison-interpret %t.mlir --entry stores --interleavings 30 --compare-with %s | FileCheck %s --check-prefix=SAME

// A token orders eighteen stores, of two agents in turn. Nine times the second agent waits for the first,
// eight times the first for the second in the same iteration, and each once for the other in the next one:
// nineteen mutexes.
//
// REMARKS-COUNT-4: Missed barrier: Mutex_{{1[5-8]}} is on mbarriers in shared memory; all named barriers are taken
// REMARKS-NOT: Missed barrier
//
// CHECK-COUNT-15: kind = "mutex"
// CHECK-NOT: kind = "mutex"
// CHECK-COUNT-4: sharedMem = true
// CHECK-NOT: sharedMem = true
// CHECK: agent_switch
//
// ASSIGNED: tileas.buffer = {barrier = 15 : i32, class = "barrier"}
// ASSIGNED-NOT: class = "barrier"
// ASSIGNED: class = "smem"{{.*}}slots = 1 : i32, stride = 0 : i64
//
// SAME: 30 interleavings, {{[0-9]+}} distinct: same memory
nv_tileaa.func @stores(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 12 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<8x8xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<8x8xf16, gmem>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %t) -> (!nv_tileaa.mem_token) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [8, 8]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<8x8xf16, gmem> -> tensor<8x8xf16>, !nv_tileaa.mem_token
    %s1 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s0 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 1 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    %s2 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s1 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 2 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    %s3 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s2 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 1 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    %s4 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s3 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 2 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    %s5 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s4 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 1 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    %s6 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s5 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 2 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    %s7 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s6 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 1 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    %s8 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s7 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 2 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    %s9 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s8 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 1 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    %s10 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s9 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 2 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    %s11 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s10 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 1 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    %s12 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s11 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 2 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    %s13 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s12 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 1 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    %s14 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s13 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 2 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    %s15 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s14 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 1 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    %s16 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s15 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 2 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    %s17 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s16 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 1 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    %s18 = nv_tileas.tiled_store %a, %out[%c0, %i] token %s17 : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>, nv_tile.aws.agent = 2 : i32} : tensor<8x8xf16>, !nv_tileaa.tiled_view<8x8xf16, gmem> -> !nv_tileaa.mem_token
    scf.yield %s18 : !nv_tileaa.mem_token
  } {nv_tile.aws.agents = [{role = "load"}, {role = "store"}, {role = "store"}]}
  nv_tileaa.return
}
