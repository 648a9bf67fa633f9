// A ring has at most 64 slots, however many tiles a schedule keeps alive: its producer waits then.
//
// RUN: orison-opt --allow-unregistered-dialect --machine=page %s --tileas-generate-schedule='max-stages=1000' --tileas-materialize-schedule --tileas-verify-pipelines --remarks=text -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: FileCheck %s < %t.mlir
//
// An iteration every 8 cycles, in which TMA loads a tile that is read 1,000 cycles later and for 4 cycles:
// tiles of 126 iterations are alive.
//
// REMARKS: Missed depth: Pipe_0 has 64 slots instead of 12{{[67]}}; a ring has at most this many; its producer waits for free slots
// REMARKS-NOT: the schedule requires this many
// CHECK: create_pipeline {{.*}}numStages = 64 : i32
nv_tileaa.func @late(%p: !nv_tileaa.memref<?x?xf16>, %n: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<8x8xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [8, 8]>, in_bounds = array<i1: true, true>, tileas.schedule.latency = 1000 : i32, tileas.schedule.resources = [array<i32: 12, 8, 1>]} : !nv_tileaa.tiled_view<8x8xf16, gmem> -> tensor<8x8xf16>, !nv_tileaa.mem_token
    "test.use"(%a) {tileas.schedule.latency = 4 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]} : (tensor<8x8xf16>) -> ()
  }
  nv_tileaa.return
}
