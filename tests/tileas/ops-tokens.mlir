// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt | FileCheck %s

// CHECK-LABEL: @tokens
nv_tileaa.func @tokens(%tile: tensor<8xf16>, %mem: !nv_tileaa.mem_token) {
  // CHECK: nv_tileas.create_none : !nv_tileaa.mem_token
  %0 = nv_tileas.create_none : !nv_tileaa.mem_token
  // CHECK: %[[DONE:.*]] = nv_tileas.async.to_async %{{.*}} : tensor<8xf16>
  %1 = nv_tileas.async.to_async %tile : tensor<8xf16>
  // CHECK: nv_tileas.async.token_to_async %{{.*}}{{$}}
  %2 = nv_tileas.async.token_to_async %mem
  // CHECK: nv_tileas.async.wait %[[DONE]]
  nv_tileas.async.wait %1
  // CHECK: nv_tileas.async.future_wait %[[DONE]] : tensor<8xf16>
  %3 = nv_tileas.async.future_wait %1 : tensor<8xf16>
  nv_tileaa.return
}
