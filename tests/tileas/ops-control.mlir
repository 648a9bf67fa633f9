// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// CHECK-LABEL: @control
nv_tileaa.func @control(%tile: tensor<8xf16>) {
  // CHECK: nv_tileas.pragma -> tensor<8xf16> attributes {ocgEnterDirectives = ["a"], ocgLeaveDirectives = ["b"]} {
  %0 = nv_tileas.pragma -> tensor<8xf16> attributes {ocgEnterDirectives = ["a"], ocgLeaveDirectives = ["b"]} {
    // CHECK: nv_tileas.yield %{{.*}} : tensor<8xf16>
    nv_tileas.yield %tile : tensor<8xf16>
  }
  // CHECK: nv_tileas.cancel_next_program_id : i1, index, index, index
  %1:4 = nv_tileas.cancel_next_program_id : i1, index, index, index
  // CHECK: %{{.*}} = nv_tileas.async.cancel_next_program_id
  %2 = nv_tileas.async.cancel_next_program_id
  nv_tileaa.return
}
