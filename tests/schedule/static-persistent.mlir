// RUN: orison-opt --split-input-file --verify-diagnostics %s --tileas-static-persistent='programs=8' | FileCheck %s
// RUN: orison-opt --split-input-file --verify-diagnostics %s --tileas-static-persistent='programs=8 swizzle=2 raster=along-n' | FileCheck %s --check-prefix=BANDS

// 4 x 6 x 2 = 48 tiles for 8 programs. The counts are 32-bit constants that become indices before
// the loop uses them. Tile t is in batch t / 24; within it m varies fastest: a band is one column
// of 4 tiles.
//
// CHECK-LABEL: @kernel
// CHECK-SAME: tileas.grid = array<i32: 8, 1, 1>, tileas.persistent = "static", tileas.tiles = array<i32: 4, 6, 2>
// CHECK: %[[PROGRAM:.+]] = nv_tileaa.get_program_id axis 0
// CHECK: %[[TOTAL:.+]] = arith.constant 48 : i32
// CHECK: %[[PROGRAMS:.+]] = arith.constant 8 : i32
// CHECK: %[[UPPER:.+]] = arith.index_castui %[[TOTAL]] : i32 to index
// CHECK: %[[STEP:.+]] = arith.index_castui %[[PROGRAMS]] : i32 to index
// CHECK: scf.for %[[TILE:.+]] = %[[PROGRAM]] to %[[UPPER]] step %[[STEP]] {
// CHECK: %[[BATCH:.+]] = arith.constant 24 : index
// CHECK: %[[L:.+]] = arith.divui %[[TILE]], %[[BATCH]]
// CHECK: %[[REST:.+]] = arith.remui %[[TILE]], %[[BATCH]]
// CHECK: %[[COLUMN:.+]] = arith.constant 4 : index
// CHECK: %[[BAND:.+]] = arith.divui %[[REST]], %[[COLUMN]]
// CHECK: %[[WITHIN:.+]] = arith.remui %[[REST]], %[[COLUMN]]
// CHECK: %[[M:.+]] = arith.divui %[[WITHIN]]
// CHECK: %[[N:.+]] = arith.addi
// CHECK-NOT: get_program_id
// CHECK: nv_tileas.tiled_load %{{.+}}[%[[M]], %[[N]], %[[L]]]
// CHECK-NOT: get_program_id
// CHECK: {{^ +[}]$}}
// CHECK-NEXT: nv_tileaa.return
//
// Bands two rows wide of the 4 rows, along the 6 columns: 12 tiles per band.
//
// BANDS-LABEL: @kernel
// BANDS: scf.for
// BANDS: arith.constant 24 : index
// BANDS: arith.constant 12 : index
// BANDS: arith.constant 2 : index
nv_tileaa.func @kernel(%p: !nv_tileaa.memref<?x?x?xf16>) attributes {tileas.grid = array<i32: 4, 6, 2>} {
  %m = nv_tileaa.get_program_id axis 0
  %n = nv_tileaa.get_program_id axis 1
  %l = nv_tileaa.get_program_id axis 2
  %view = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?x?xf16> -> !nv_tileaa.tiled_view<1x64x64xf16, gmem>
  %t = nv_tileaa.create_mem_token
  %tile, %done = nv_tileas.tiled_load %view[%m, %n, %l] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"ldg_128">, in_bounds = array<i1: true, true, true>} : !nv_tileaa.tiled_view<1x64x64xf16, gmem> -> tensor<1x64x64xf16>, !nv_tileaa.mem_token
  nv_tileaa.return
}

// There are at most as many programs as tiles.
//
// CHECK-LABEL: @few_tiles
// CHECK-SAME: tileas.grid = array<i32: 3, 1, 1>
nv_tileaa.func @few_tiles() attributes {tileas.grid = array<i32: 3, 1, 1>} {
  %m = nv_tileaa.get_program_id axis 0
  nv_tileaa.return
}

// A kernel whose programs do not depend on their ids is unchanged, and so is a declaration.
//
// CHECK-LABEL: @no_id() {
nv_tileaa.func @no_id() {
  nv_tileaa.return
}
nv_tileaa.func private @declared()

// -----

// expected-warning @+1 {{Kernel is already static persistent}}
nv_tileaa.func @twice() attributes {tileas.grid = array<i32: 3, 1, 1>, tileas.persistent = "static"} {
  %m = nv_tileaa.get_program_id axis 0
  nv_tileaa.return
}

// -----

// expected-error @+1 {{cannot be made static persistent: requires attribute 'tileas.grid', the number of tiles along each axis}}
nv_tileaa.func @no_grid() {
  %m = nv_tileaa.get_program_id axis 0
  nv_tileaa.return
}

// -----

// expected-error @+1 {{attribute 'tileas.grid' must be array<i32: x, y, z> of positive extents}}
nv_tileaa.func @empty_grid() attributes {tileas.grid = array<i32: 3, 0, 1>} {
  %m = nv_tileaa.get_program_id axis 0
  nv_tileaa.return
}

// -----

// expected-error @+1 {{cannot be made static persistent: it has more than 2147483647 tiles}}
nv_tileaa.func @huge_grid() attributes {tileas.grid = array<i32: 65536, 32768, 1>} {
  %m = nv_tileaa.get_program_id axis 0
  nv_tileaa.return
}

// -----

nv_tileaa.func @returns(%x: f32) -> f32 attributes {tileas.grid = array<i32: 3, 1, 1>} {
  %m = nv_tileaa.get_program_id axis 0
  // expected-error @+1 {{Kernel functions do not support return with operands}}
  nv_tileaa.return %x : f32
}
