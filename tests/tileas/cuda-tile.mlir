// Operations, types and attributes of CUDA Tile pass through among tile operations; those of other
// dialects that are not registered need a flag.

// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: sed s/cuda_tile.exp2/my_tile.exp2/ %s | not orison-opt 2>&1 | FileCheck %s --check-prefix=OTHER

// OTHER: <stdin>:[[#@LINE+6]]:8: error: operation being parsed with an unregistered dialect

// CHECK-LABEL: @f
// CHECK: %{{.*}} = "cuda_tile.exp2"(%{{.*}}) {mode = #cuda_tile.mode<fast>} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: "cuda_tile.store"(%{{.*}}) : (!cuda_tile.tile<f32>) -> ()
func.func @f(%tile: tensor<4xf32>, %scalar: !cuda_tile.tile<f32>) {
  %e = "cuda_tile.exp2"(%tile) {mode = #cuda_tile.mode<fast>} : (tensor<4xf32>) -> tensor<4xf32>
  "cuda_tile.store"(%scalar) : (!cuda_tile.tile<f32>) -> ()
  return
}
