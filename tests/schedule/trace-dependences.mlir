// RUN: orison-opt %s --tileas-generate-schedule=trace=%t.json -o /dev/null
// RUN: FileCheck %s < %t.json

// The tile that the store reads is a value; the token, which it waits for, is none.
// CHECK: "cat": "dependence"
// CHECK-NEXT: "id": "1.0"
// CHECK-NEXT: "name": "data"
// CHECK: "id": "1.1"
// CHECK-NEXT: "name": "token"
nv_tileaa.func @tokens(%p: !nv_tileaa.memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<64x64xf32, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf32, gmem> -> tensor<64x64xf32>, !nv_tileaa.mem_token
    %done = nv_tileas.tiled_store %a, %view[%c1, %i] token %ta : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.tiled_view<64x64xf32, gmem> -> !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
