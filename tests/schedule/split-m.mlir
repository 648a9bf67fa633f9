// RUN: orison-opt --allow-unregistered-dialect --tileas-split-m --canonicalize %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --tileas-split-m %s -o %t.split.mlir
// RUN: orison-interpret %s --entry softmax_product --tiles 3 --random-inputs 5 --compare-with %t.split.mlir
// RUN: orison-opt --allow-unregistered-dialect --tileas-split-m=parts=4 %s | FileCheck %s --check-prefix=FOUR

// Two products of one loop, with a mask, a running maximum and a carried output: each half of the 256
// rows has its own scores, statistics, output, left factor and store. The tiles of K and V are loaded
// once.

// CHECK-LABEL: @softmax_product
// CHECK: %[[TWO:.+]] = arith.constant 2 : index
// CHECK-COUNT-2: nv_tileas.tiled_load {{.*}}tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>
// CHECK: scf.for {{.*}} -> (tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>, tensor<128x64xf32>)
// CHECK-COUNT-2: nv_tileas.tiled_load {{.*}} -> tensor<64x64xf16>
// CHECK-NOT: nv_tileas.tiled_load
// CHECK-COUNT-2: nv_tileas.dot {{.*}} : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32> -> tensor<128x64xf32>
// The rows of the second half begin at 128.
// CHECK: nv_tileas.generate : tensor<128x64xi1>
// CHECK: ^bb0(%[[ROW:.+]]: index, %[[COLUMN:.+]]: index):
// CHECK-NEXT: arith.cmpi uge, %[[ROW]], %[[COLUMN]]
// CHECK: nv_tileas.generate : tensor<128x64xi1>
// CHECK: ^bb0(%[[ROW:.+]]: index, %[[COLUMN:.+]]: index):
// CHECK: %[[SHIFTED:.+]] = arith.addi %[[ROW]], %{{.+}} : index
// CHECK: arith.cmpi uge, %[[SHIFTED]], %[[COLUMN]]
// CHECK-COUNT-2: nv_tileas.reduce {{.*}} : tensor<128x64xf32> -> tensor<128xf32>
// CHECK: scf.yield %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>, tensor<128x64xf32>
// CHECK-COUNT-2: nv_tileas.tiled_store {{.*}} : tensor<128x64xf32>, !nv_tileaa.tiled_view<128x64xf32, gmem>
// CHECK-NOT: 256x

// FOUR-LABEL: @softmax_product
// FOUR-COUNT-4: nv_tileas.tiled_load {{.*}} -> tensor<64x64xf16>
// FOUR: scf.for
// FOUR-COUNT-8: nv_tileas.dot {{.*}} : tensor<64x64xf16>, tensor<64x64xf16>
// FOUR-COUNT-4: nv_tileas.tiled_store
nv_tileaa.func @softmax_product(%Q: !nv_tileaa.memref<?x?xf16>, %K: !nv_tileaa.memref<?x?xf16>, %V: !nv_tileaa.memref<?x?xf16>, %O: !nv_tileaa.memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant dense<0.0> : tensor<256x64xf32>
  %low = arith.constant dense<-1.0> : tensor<256x64xf32>
  %least = arith.constant dense<-2.0> : tensor<256xf32>
  %row = nv_tileaa.get_program_id axis 0
  %t = nv_tileaa.create_mem_token
  %Qs = nv_tileaa.block_tile %Q : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<256x64xf16, gmem>
  %Ks = nv_tileaa.block_tile %K : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %Vs = nv_tileaa.block_tile %V : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %Os = nv_tileaa.block_tile %O : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<256x64xf32, gmem>
  %q, %tq = nv_tileas.tiled_load %Qs[%row, %c0] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [256, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<256x64xf16, gmem> -> tensor<256x64xf16>, !nv_tileaa.mem_token
  %top, %sum = scf.for %i = %c0 to %n step %c1 iter_args(%max = %least, %acc = %none) -> (tensor<256xf32>, tensor<256x64xf32>) {
    %k, %tk = nv_tileas.tiled_load %Ks[%i, %c0] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %v, %tv = nv_tileas.tiled_load %Vs[%i, %c0] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %s = nv_tileas.dot %q, %k, %none {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16">} : tensor<256x64xf16>, tensor<64x64xf16>, tensor<256x64xf32> -> tensor<256x64xf32>
    %mask = nv_tileas.generate : tensor<256x64xi1> {
    ^bb0(%r: index, %c: index):
      %seen = arith.cmpi uge, %r, %c : index
      nv_tileas.yield %seen : i1
    }
    %masked = arith.select %mask, %s, %low : tensor<256x64xi1>, tensor<256x64xf32>
    %top_now = nv_tileas.reduce %masked axis 1 : tensor<256x64xf32> -> tensor<256xf32> {
    ^bb0(%x: f32, %y: f32):
      %both = arith.maximumf %x, %y : f32
      nv_tileas.yield %both : f32
    }
    %next = arith.maximumf %max, %top_now : tensor<256xf32>
    %column = nv_tileas.expand_dims %next axis 1 : tensor<256xf32> -> tensor<256x1xf32>
    %wide = "cuda_tile.broadcast"(%column) {tileas.schedule.cost_of = "nv_tileas.view"} : (tensor<256x1xf32>) -> tensor<256x64xf32>
    %centered = arith.subf %masked, %wide : tensor<256x64xf32>
    %p = math.exp2 %centered : tensor<256x64xf32>
    %half = arith.truncf %p : tensor<256x64xf32> to tensor<256x64xf16>
    %o = nv_tileas.dot %half, %v, %acc {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16", b = "kn">} : tensor<256x64xf16>, tensor<64x64xf16>, tensor<256x64xf32> -> tensor<256x64xf32>
    scf.yield %next, %o : tensor<256xf32>, tensor<256x64xf32>
  }
  %done = nv_tileas.tiled_store %sum, %Os[%row, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<256x64xf32>, !nv_tileaa.tiled_view<256x64xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// The stores of the parts form a chain, and what waits for the whole store waits for the last one. The
// zeros are also read as a whole.
//
// CHECK-LABEL: @token
// CHECK: %[[FIRST:.+]] = nv_tileas.tiled_store {{.*}} : tensor<64x128xf32>
// CHECK: %[[SECOND:.+]] = nv_tileas.tiled_store {{.*}} token %[[FIRST]] {{.*}} : tensor<64x128xf32>
// CHECK: nv_tileas.tiled_store {{.*}} token %[[SECOND]] {{.*}} : tensor<128x128xf32>
nv_tileaa.func @token(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x128xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x128xf32, gmem>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 128]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x128xf16, gmem> -> tensor<128x128xf16>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %view[%c1, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 128]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x128xf16, gmem> -> tensor<128x128xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %b, %acc {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">} : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %done = nv_tileas.tiled_store %sum, %out[%c0, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.tiled_view<128x128xf32, gmem> -> !nv_tileaa.mem_token
  %again = nv_tileas.tiled_store %zero, %out[%c1, %c0] token %done : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.tiled_view<128x128xf32, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// A product that the loop does not carry: its store is divided, too.
//
// CHECK-LABEL: @stored_in_the_loop
// CHECK: scf.for
// CHECK-COUNT-2: nv_tileas.dot {{.*}} -> tensor<64x128xf32>
// CHECK-NOT: insert_slice
// CHECK-COUNT-2: nv_tileas.tiled_store {{.*}} : tensor<64x128xf32>
// CHECK-NOT: nv_tileas.tiled_store
// CHECK: return
nv_tileaa.func @stored_in_the_loop(%p: !nv_tileaa.memref<?x?xf16>, %o: !nv_tileaa.memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x128xf16, gmem>
  %out = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<128x128xf32, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %view[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 128]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x128xf16, gmem> -> tensor<128x128xf16>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %view[%c1, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 128]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x128xf16, gmem> -> tensor<128x128xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %b, %zero {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">} : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %done = nv_tileas.tiled_store %d, %out[%i, %c0] token %t : !nv_tileaa.mem_token {in_bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.tiled_view<128x128xf32, gmem> -> !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
