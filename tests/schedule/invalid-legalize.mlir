// RUN: not orison-opt --allow-unregistered-dialect --tileas-generate-schedule='max-stages=3' %s 2>&1 | FileCheck %s
// RUN: env TILE_AS_DEBUG_UNLIMITED_SMEM=1 orison-opt --allow-unregistered-dialect --tileas-generate-schedule='max-stages=3' %s | FileCheck %s --check-prefix=UNLIMITED
// RUN: not env TILE_AS_DEBUG_UNLIMITED_SMEM=yes orison-opt --allow-unregistered-dialect --tileas-generate-schedule='max-stages=3' %s 2>&1 | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --tileas-generate-schedule %s | FileCheck %s --check-prefix=UNLIMITED

// The tile is 256 x 512 x 2 = 262,144 bytes, shared memory has 232,448. Only an explicit number of
// stages overrides the shared-memory limit, and this is reported; `1`, and only `1`, removes the
// budget itself.
// CHECK: error: 'scf.for' op failed to legalize schedule: its rings require 262144 bytes of shared memory, but 232448 are available
// UNLIMITED: tileas.schedule = {
nv_tileaa.func @tile(%p: !nv_tileaa.memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = nv_tileaa.create_mem_token
  %big = nv_tileaa.block_tile %p : !nv_tileaa.memref<?x?xf16> -> !nv_tileaa.tiled_view<256x512xf16, gmem>
  scf.for %i = %c0 to %n step %c1 {
    %a, %ta = nv_tileas.tiled_load %big[%c0, %i] token %t : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [256, 512]>, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<256x512xf16, gmem> -> tensor<256x512xf16>, !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
