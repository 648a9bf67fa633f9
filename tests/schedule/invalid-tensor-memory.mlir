// RUN: orison-opt --verify-diagnostics --tileas-verify-pipelines %s
// RUN: sed -e 's/%first = /%more = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<128x512xf32, tmem>\n&/' %S/tensor-memory.mlir > %t.mlir
// RUN: not orison-opt %t.mlir --tileas-generate-schedule --tileas-assign-buffers 2>&1 | FileCheck %s

// 512 columns more than the two allocations of that kernel.
// CHECK: fails to assign tmem buffer: the rings require 640 columns of tensor memory, but 512 are available

// Five allocations of 128 columns.
// expected-warning @below {{found nothing to do: there are no pipelines and no agents}}
nv_tileaa.func @five() attributes {nv_tileaa.kernel_spec = {computeCapability = 100 : i32, numWarps = 8 : i32}} {
  %0 = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<128x128xf32, tmem>
  %1 = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<128x128xf32, tmem>
  %2 = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<128x128xf32, tmem>
  %3 = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<128x128xf32, tmem>
  // expected-error @below {{allocates 128 columns of tensor memory, 640 with those before it, but there are 512}}
  %4 = nv_tileas.alloc_tensor in "tmem" : !nv_tileas.tiled_view<128x128xf32, tmem>
  nv_tileaa.return
}
