// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-slice %s 2>&1 | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-slice --remarks=text -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=REMARK
// The pass changes nothing when it runs again:
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-slice %s -o %t.once.mlir 2> %t.warnings
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --tileas-slice %t.once.mlir -o %t.twice.mlir 2> %t.warnings
// RUN: diff %t.once.mlir %t.twice.mlir
// RUN: orison-opt %S/../../examples/gemm.mlir --tileas-slice -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE

// NONE: warning: pass 'tileas-slice' found nothing to do: no operation has 'tileas.preferred_atom_size' or 'tileas.max_num_slices_for_non_reduce_axis'; and no loop has 'sliceCount'

// A chain: the second operation reads the slices of the first, and no whole tile is left but the last.
// A constant becomes a smaller constant, a scalar is passed on.
// CHECK-LABEL: @chain
// CHECK: %[[X0:.+]] = nv_tileas.extract_slice %{{.+}}[0, 0] [32, 32] [1, 1]
// CHECK-NEXT: %[[X1:.+]] = nv_tileas.extract_slice %{{.+}}[32, 0] [32, 32] [1, 1]
// CHECK: %[[CST:.+]] = arith.constant dense<2.000000e+00> : tensor<32x32xf32>
// CHECK: %[[A0:.+]] = arith.mulf %[[X0]], %[[CST]] : tensor<32x32xf32>
// CHECK-NEXT: %[[A1:.+]] = arith.mulf %[[X1]], %[[CST]] : tensor<32x32xf32>
// CHECK-NEXT: %[[B0:.+]] = arith.select %{{.+}}, %[[A0]], %[[X0]] : tensor<32x32xf32>
// CHECK-NEXT: %[[B1:.+]] = arith.select %{{.+}}, %[[A1]], %[[X1]] : tensor<32x32xf32>
// CHECK: %[[W0:.+]] = nv_tileas.insert_slice %[[B0]]
// CHECK: %[[W1:.+]] = nv_tileas.insert_slice %[[B1]]
// CHECK-NEXT: "test.use"(%[[W1]])
// CHECK-NOT: preferred_atom_size
// REMARK: Passed slice: divided; slices=2
// REMARK: Passed slice: divided; slices=2
func.func @chain(%x: tensor<64x32xf32>, %c: i1) {
  %two = arith.constant dense<2.0> : tensor<64x32xf32>
  %a = arith.mulf %x, %two {tileas.preferred_atom_size = 32 : i32} : tensor<64x32xf32>
  %b = arith.select %c, %a, %x {tileas.preferred_atom_size = 32 : i32} : tensor<64x32xf32>
  "test.use"(%b) : (tensor<64x32xf32>) -> ()
  return
}

// -----

// A load becomes loads of smaller tiles at the coordinates 2 * m and 2 * m + 1, with a smaller box; a
// store likewise. The token of the load is used: the loads follow each other, and the last one signals.
// That of the store is not.
// CHECK-LABEL: @memory
// CHECK: %[[HALVES:.+]] = nv_tileaa.block_tile %{{.+}} -> !nv_tileaa.tiled_view<32x32xf16, gmem>
// CHECK-NOT: nv_tileaa.tiled_view<64x32xf16
// CHECK: %[[TWO:.+]] = arith.constant 2 : index
// CHECK: %[[ZERO:.+]] = arith.constant 0 : index
// CHECK: %[[M:.+]] = arith.muli %[[AT:.+]], %[[TWO]] : index
// CHECK: %[[M0:.+]] = arith.addi %[[M]], %[[ZERO]] : index
// CHECK: %[[A:.+]]:2 = nv_tileas.tiled_load %[[HALVES]][%[[M0]], %[[AT]]] token %{{.+}} {atom = #nv_tileas.atom<"tma_load_2d", box = [32, 32]>
// CHECK: %[[ONE:.+]] = arith.constant 1 : index
// CHECK: %[[M1:.+]] = arith.addi %{{.+}}, %[[ONE]] : index
// CHECK: %[[B:.+]]:2 = nv_tileas.tiled_load %[[HALVES]][%[[M1]], %[[AT]]] token %[[A]]#1
// CHECK: nv_tileas.tiled_store %[[A]]#0, %[[HALVES]]{{.+}} token %[[B]]#1
// CHECK: nv_tileas.tiled_store %[[B]]#0, %[[HALVES]]{{.+}} token %[[B]]#1
// CHECK-NOT: insert_slice
nv_tileaa.func @memory(%memory: !nv_tileaa.memref<?x?xf16>, %m: index) {
  %token = nv_tileaa.create_mem_token
  %view = nv_tileaa.block_tile %memory : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x32xf16, gmem>
  %x, %t = nv_tileas.tiled_load %view[%m, %m] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [64, 32]>, in_bounds = array<i1: true, true>, mem_semantic = "weak", tileas.preferred_atom_size = 32 : i32, tileas.schedule.constraint.gid = 1 : i32} : !nv_tileaa.tiled_view<64x32xf16, gmem> -> tensor<64x32xf16>, !nv_tileaa.mem_token
  %s = nv_tileas.tiled_store %x, %view[%m, %m] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak", tileas.preferred_atom_size = 32 : i32} : tensor<64x32xf16>, !nv_tileaa.tiled_view<64x32xf16, gmem> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A product of 128 x 128 x 64 is divided along M and N; its instruction is narrower, and as 64 x 64 tells
// nothing of the order of b, the atom does.
// CHECK-LABEL: @product
// CHECK: nv_tileas.extract_slice %{{[a-z0-9]+}}[0, 0] [64, 64] [1, 1] : tensor<128x64xf16>
// CHECK: nv_tileas.dot %{{.+}} {atom = #nv_tileas.atom<"wgmma_m64n64k16_f32_f16_f16", b = "nk">} : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
// CHECK-COUNT-3: nv_tileas.dot
// CHECK-NOT: nv_tileas.dot
// CHECK-COUNT-4: nv_tileas.insert_slice
func.func @product(%a: tensor<128x64xf16>, %b: tensor<128x64xf16>, %c: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %d = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">, tileas.preferred_atom_size = 64 : i32} : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
  return %d : tensor<128x128xf32>
}

// -----

// Along K the slices add to each other, in order; the first adds to c, if the flag says so.
// CHECK-LABEL: @chained
// CHECK: %[[D0:.+]] = nv_tileas.dot %{{.+}} if %{{.+}} : i1
// CHECK-NEXT: %[[D1:.+]] = nv_tileas.dot %{{.+}}, %{{.+}}, %[[D0]] {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">} : tensor<64x32xf16>, tensor<32x128xf16>, tensor<64x128xf32>
// CHECK-NEXT: return %[[D1]]
func.func @chained(%a: tensor<64x64xf16>, %b: tensor<64x128xf16>, %c: tensor<64x128xf32>, %f: i1) -> tensor<64x128xf32> {
  %d = nv_tileas.dot %a, %b, %c if %f : i1 {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">, tileas.preferred_atom_size = 32 : i32, tileas.max_num_slices_for_non_reduce_axis = 1 : i32} : tensor<64x64xf16>, tensor<64x128xf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  return %d : tensor<64x128xf32>
}

// -----

// The instruction has M 64 and K 16: neither axis is divided.
// CHECK-LABEL: @whole_instructions
// CHECK-COUNT-1: nv_tileas.dot
// CHECK-NOT: nv_tileas.dot
// REMARK: Missed slice: axis 0 is not divided: the instruction is not smaller
// REMARK: Missed slice: axis 2 is not divided: the instruction is not smaller
func.func @whole_instructions(%a: tensor<64x16xf16>, %b: tensor<8x16xf16>, %c: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %d = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.atom<"wgmma_m64n8k16_f32_f16_f16">, tileas.preferred_atom_size = 8 : i32} : tensor<64x16xf16>, tensor<8x16xf16>, tensor<64x8xf32> -> tensor<64x8xf32>
  return %d : tensor<64x8xf32>
}

// -----

// Rows of a reduction are independent. Along its axis it is divided if its combination is exact: integers,
// maxima, sums that may be reassociated; not other sums. The partial results are combined as tiles.
// CHECK-LABEL: @reductions
// CHECK-COUNT-2: nv_tileas.reduce %{{.+}} axis 1 : tensor<16x32xf32> -> tensor<16xf32>
// CHECK: nv_tileas.reduce %{{.+}} axis 1 : tensor<32x16xi32> -> tensor<32xi32>
// CHECK: nv_tileas.reduce %{{.+}} axis 1 : tensor<32x16xi32> -> tensor<32xi32>
// CHECK: %[[SUM:.+]] = arith.addi %{{.+}}, %{{.+}} : tensor<32xi32>
// CHECK-COUNT-2: nv_tileas.reduce %{{.+}} axis 0 : tensor<16xf32> -> f32
// CHECK: %[[FAST:.+]] = arith.addf %{{[0-9]+}}, %{{[0-9]+}} fastmath<reassoc> : f32
// CHECK: "test.use"(%{{.+}}, %[[SUM]], %[[FAST]])
// REMARK: Missed slice: axis 1 is not divided: its order of combination is rounded
func.func @reductions(%x: tensor<32x32xf32>, %n: tensor<32x32xi32>, %v: tensor<32xf32>) {
  %a = nv_tileas.reduce %x axis 1 attributes {tileas.preferred_atom_size = 16 : i32} : tensor<32x32xf32> -> tensor<32xf32> {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    nv_tileas.yield %s : f32
  }
  %b = nv_tileas.reduce %n axis 1 attributes {tileas.preferred_atom_size = 16 : i32, tileas.max_num_slices_for_non_reduce_axis = 1 : i32} : tensor<32x32xi32> -> tensor<32xi32> {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    nv_tileas.yield %s : i32
  }
  %c = nv_tileas.reduce %v axis 0 attributes {tileas.preferred_atom_size = 16 : i32} : tensor<32xf32> -> f32 {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r fastmath<reassoc> : f32
    nv_tileas.yield %s : f32
  }
  "test.use"(%a, %b, %c) : (tensor<32xf32>, tensor<32xi32>, f32) -> ()
  return
}

// -----

// A scan is divided along the other axes only; a repeated axis is read whole.
// CHECK-LABEL: @other_axes
// CHECK-COUNT-2: nv_tileas.scan %{{.+}} axis 1 : tensor<16x32xf32> -> tensor<16x32xf32>
// CHECK-NOT: nv_tileas.scan
// CHECK: %[[ROW:.+]] = nv_tileas.expand_dims
// CHECK: %[[HALF:.+]] = nv_tileas.extract_slice %[[ROW]][0, 16] [1, 16] [1, 1]
// CHECK: "cuda_tile.broadcast"(%{{.+}}) : (tensor<1x16xf32>) -> tensor<16x16xf32>
// CHECK: "cuda_tile.broadcast"(%[[HALF]]) : (tensor<1x16xf32>) -> tensor<16x16xf32>
// REMARK: Missed slice: axis 1 is not divided: each element needs those before it
func.func @other_axes(%x: tensor<32x32xf32>, %v: tensor<32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %a = nv_tileas.scan %x axis 1 attributes {tileas.preferred_atom_size = 16 : i32} : tensor<32x32xf32> -> tensor<32x32xf32> {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    nv_tileas.yield %s : f32
  }
  %row = nv_tileas.expand_dims %v axis 0 : tensor<32xf32> -> tensor<1x32xf32>
  %b = "cuda_tile.broadcast"(%row) {tileas.preferred_atom_size = 16 : i32} : (tensor<1x32xf32>) -> tensor<32x32xf32>
  return %a, %b : tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

// sliceCount divides what the loop carries, with what it is computed from; the loop carries slices, and
// the factor that all rows need stays whole.
// CHECK-LABEL: @carried
// CHECK: %[[SUM:.+]]:2 = scf.for {{.+}} iter_args(%[[ACC0:.+]] = %{{.+}}, %[[ACC1:.+]] = %{{.+}}) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
// CHECK: %[[A0:.+]]:2 = nv_tileas.tiled_load %{{.+}} -> tensor<64x64xf16>
// CHECK: %[[A1:.+]]:2 = nv_tileas.tiled_load %{{.+}} -> tensor<64x64xf16>
// CHECK: %[[B:.+]]:2 = nv_tileas.tiled_load %{{.+}} -> tensor<128x64xf16>
// CHECK: %[[D0:.+]] = nv_tileas.dot %[[A0]]#0, %[[B]]#0, %[[ACC0]]
// CHECK: %[[D1:.+]] = nv_tileas.dot %[[A1]]#0, %[[B]]#0, %[[ACC1]]
// CHECK-NEXT: scf.yield %[[D0]], %[[D1]]
// CHECK-NOT: sliceCount
// CHECK: nv_tileas.insert_slice %[[SUM]]#0
// CHECK: nv_tileas.insert_slice %[[SUM]]#1
nv_tileaa.func @carried(%A: !nv_tileaa.memref<?x?xf16>, %B: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %token = nv_tileaa.create_mem_token
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %as = nv_tileaa.block_tile %A : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %bs = nv_tileaa.block_tile %B : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
    %a, %ta = nv_tileas.tiled_load %as[%c0, %k] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %b, %tb = nv_tileas.tiled_load %bs[%c0, %k] token %token : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<128x64xf16, gmem> -> tensor<128x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileas.dot %a, %b, %acc {atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">} : tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  } {sliceCount = 2 : i32}
  "test.use"(%sum) : (tensor<128x128xf32>) -> ()
  nv_tileaa.return
}

// -----

// The inner loop carries slices, and so does the outer one.
// CHECK-LABEL: @nested
// CHECK: scf.for {{.+}} iter_args(%{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}) -> (tensor<16x8xf32>, tensor<16x8xf32>) {
// CHECK: scf.for {{.+}} -> (tensor<16x8xf32>, tensor<16x8xf32>) {
// CHECK-COUNT-2: math.exp2 %{{.+}} : tensor<16x8xf32>
func.func @nested(%x: tensor<32x8xf32>, %n: index) -> tensor<32x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<32x8xf32>) {
    %in = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (tensor<32x8xf32>) {
      %e = math.exp2 %b : tensor<32x8xf32>
      scf.yield %e : tensor<32x8xf32>
    }
    scf.yield %in : tensor<32x8xf32>
  } {sliceCount = 2 : i64}
  return %out : tensor<32x8xf32>
}

// -----

// The loop reads the tile as a whole, and carries it as a whole.
// CHECK-LABEL: @read_whole
// CHECK: %[[OUT:.+]] = scf.for {{.+}} -> (tensor<32x8xf32>) {
// CHECK: math.exp2 %{{.+}} : tensor<32x8xf32>
// CHECK-COUNT-2: arith.negf %{{.+}} : tensor<16x8xf32>
// CHECK-COUNT-2: nv_tileas.insert_slice
// CHECK-NEXT: scf.yield
func.func @read_whole(%x: tensor<32x8xf32>, %n: index) -> tensor<32x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<32x8xf32>) {
    %e = math.exp2 %a : tensor<32x8xf32>
    %f = arith.negf %e {tileas.preferred_atom_size = 16 : i32} : tensor<32x8xf32>
    scf.yield %f : tensor<32x8xf32>
  }
  return %out : tensor<32x8xf32>
}

// -----

// What is not divided, and why.
// CHECK-DAG: warning: 'test.op' op is not sliced: it is no load, store, product, reduction or elementwise operation
// CHECK-DAG: warning: 'arith.negf' op is not sliced: its attributes give the cost of the whole
// CHECK-DAG: warning: 'arith.negf' op is not sliced: it would have 4096 slices, more than 1024
// CHECK-DAG: warning: 'arith.negf' op is not sliced: a value is no tile, or has a layout
// CHECK-DAG: warning: 'arith.negf' op is not sliced: its loop is already scheduled; divide it before tileas-generate-schedule
// CHECK-DAG: warning: 'nv_tileas.tiled_load' op is not sliced: it orders other memory accesses
// CHECK-DAG: warning: 'nv_tileas.tiled_load' op is not sliced: its view is not made by nv_tileaa.block_tile
// CHECK-LABEL: @declined
// CHECK-COUNT-3: arith.negf
// CHECK-COUNT-2: nv_tileas.tiled_load
// CHECK: scf.for
// CHECK-NEXT: arith.negf
func.func @declined(%x: tensor<64x64xf32>, %layout: tensor<64x64xf32, #nv_tileas.layout<"(64,64),(1,64)">>, %view: !nv_tileaa.tiled_view<64x64xf16, gmem>, %memory: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = "test.op"(%x) {tileas.preferred_atom_size = 32 : i32} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = arith.negf %x {tileas.preferred_atom_size = 32 : i32, tileas.schedule.latency = 4 : i32} : tensor<64x64xf32>
  %2 = arith.negf %x {tileas.preferred_atom_size = 1 : i32} : tensor<64x64xf32>
  %3 = arith.negf %layout {tileas.preferred_atom_size = 32 : i32} : tensor<64x64xf32, #nv_tileas.layout<"(64,64),(1,64)">>
  %made = nv_tileaa.block_tile %memory : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<64x64xf16, gmem>
  %4 = nv_tileas.tiled_load %made[%c0, %c0] {mem_scope = "gpu", mem_semantic = "acquire", tileas.preferred_atom_size = 32 : i32} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>
  %5 = nv_tileas.tiled_load %view[%c0, %c0] {tileas.preferred_atom_size = 32 : i32} : !nv_tileaa.tiled_view<64x64xf16, gmem> -> tensor<64x64xf16>
  scf.for %i = %c0 to %n step %c1 {
    %6 = arith.negf %x {tileas.preferred_atom_size = 32 : i32} : tensor<64x64xf32>
    "test.use"(%6) : (tensor<64x64xf32>) -> ()
  } {tileas.schedule = {}}
  "test.use"(%0, %1, %2, %3, %4, %5) : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32, #nv_tileas.layout<"(64,64),(1,64)">>, tensor<64x64xf16>, tensor<64x64xf16>) -> ()
  return
}
