// Bands wider than the grid, and kernels that do not read their program id.
//
// RUN: orison-opt %s --split-input-file --tileas-static-persistent='programs=8 swizzle=9' --remarks=text -o /dev/null 2>&1 | FileCheck %s
// RUN: orison-opt %s --split-input-file --tileas-static-persistent='programs=8 swizzle=9 raster=along-n' --remarks=text -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROWS

// CHECK: static-persistent-remarks.mlir:[[#@LINE+2]]:1: remark: [tileas-static-persistent] Missed {{.*}}: bands are 6 tiles wide instead of 9; the grid is not wider
// ROWS: static-persistent-remarks.mlir:[[#@LINE+1]]:1: remark: [tileas-static-persistent] Missed {{.*}}: bands are 4 tiles wide instead of 9; the grid is not wider
nv_tileaa.func @narrow() attributes {tileas.grid = array<i32: 4, 6, 2>} {
  %m = nv_tileaa.get_program_id axis 0
  nv_tileaa.return
}

// -----

// CHECK: warning: pass 'tileas-static-persistent' found nothing to do: no kernel reads its program id; 'nv_tileaa.get_program_id' reads it
nv_tileaa.func @reads_nothing() attributes {tileas.grid = array<i32: 4, 6, 2>} {
  nv_tileaa.return
}

// -----

// As wide as the grid.
// CHECK-NOT: bands are
// ROWS-NOT: bands are 9
nv_tileaa.func @exact() attributes {tileas.grid = array<i32: 9, 9, 2>} {
  %m = nv_tileaa.get_program_id axis 0
  nv_tileaa.return
}
