// uses an undefined integer
nv_tileaa.func @f(%X: !nv_tileaa.memref<?x?xf32>) {
  %big = arith.constant 9223372036854775807 : i64
  %one = arith.constant 1 : i64
  %sum = arith.addi %big, %one overflow<nsw> : i64
  %poison = arith.index_cast %sum : i64 to index
  %view = nv_tileaa.block_tile %X : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<4x4xf32, gmem>
  %x = nv_tileas.tiled_load %view[%poison, %poison] : !nv_tileaa.tiled_view<4x4xf32, gmem> -> tensor<4x4xf32>
  nv_tileaa.return
}

// -----

// uses an undefined value
nv_tileaa.func @f(%P: !nv_tileaa.ptr<f32>) {
  %big = arith.constant 9223372036854775807 : i64
  %one = arith.constant 1 : i64
  %sum = arith.addi %big, %one overflow<nsw> : i64
  %q = nv_tileaa.addptr %P, %sum : !nv_tileaa.ptr<f32>, i64 -> !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// expects memory
nv_tileaa.func @f(%X: !nv_tileaa.memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %view = nv_tileaa.block_tile %X : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<4x4xf32, gmem>
  %desc = nv_tileas.make_tiled_tma_desc %view {atom = #nv_tileas.atom<"tma_load_2d", box = [4, 4]>} : !nv_tileaa.tiled_view<4x4xf32, gmem>
  %tile = nv_tileas.alloc_tensor : tensor<4x4xf32>
  %none = nv_tileas.create_none : !nv_tileas.producer_token
  %done = nv_tileas.async.tiled_tma_load %desc[%c0, %c0] to %tile barrier %none {atom = #nv_tileas.atom<"tma_load_2d", box = [4, 4]>} : tensor<4x4xf32>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

// a constant of this type
nv_tileaa.func @f() {
  %x = arith.constant dense<1> : tensor<2xi128>
  nv_tileaa.return
}

// -----

// elements of this type
nv_tileaa.func @f(%x: tensor<2xi64>) {
  %y = arith.extsi %x : tensor<2xi64> to tensor<2xi128>
  nv_tileaa.return
}

// -----

// an operation on tiles with several results
nv_tileaa.func @f(%x: tensor<2xi32>) {
  %low, %high = arith.mulsi_extended %x, %x : tensor<2xi32>
  nv_tileaa.return
}

// -----

// a tile of this type
nv_tileaa.func @f() {
  %x = nv_tileas.alloc_tensor : tensor<2xi128>
  nv_tileaa.return
}

// -----

// unknown function 'cuda_tile.unknown'
nv_tileaa.func @f(%x: tensor<2xf32>) {
  %y = "cuda_tile.unknown"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  nv_tileaa.return
}

// -----

// the function must have one result
nv_tileaa.func @f(%x: tensor<2xf32>) {
  %y:2 = "cuda_tile.exp2"(%x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  nv_tileaa.return
}

// -----

// a tile of this type
nv_tileaa.func @f(%x: tensor<2xf32>) {
  %y = "cuda_tile.exp2"(%x) : (tensor<2xf32>) -> tensor<2xi128>
  nv_tileaa.return
}

// -----

// the operand must be a tile of floats
nv_tileaa.func @f(%x: tensor<2xf32>) {
  %y = "cuda_tile.exp2"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  nv_tileaa.return
}

// -----

// the operand must be a tile of floats
nv_tileaa.func @f(%x: tensor<2xi32>) {
  %y = "cuda_tile.exp2"(%x) : (tensor<2xi32>) -> tensor<2xf32>
  nv_tileaa.return
}

// -----

// the result must have the shape of the operand
nv_tileaa.func @f(%x: tensor<2xf32>) {
  %y = "cuda_tile.exp2"(%x) : (tensor<2xf32>) -> tensor<4xf32>
  nv_tileaa.return
}

// -----

// requires one tile operand
nv_tileaa.func @f(%x: tensor<2xf32>) {
  %y = "cuda_tile.broadcast"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  nv_tileaa.return
}

// -----

// the result must have at least the rank of the operand, and its element type
nv_tileaa.func @f(%x: tensor<2x2xf32>) {
  %y = "cuda_tile.broadcast"(%x) : (tensor<2x2xf32>) -> tensor<2xf32>
  nv_tileaa.return
}

// -----

// the result must have at least the rank of the operand, and its element type
nv_tileaa.func @f(%x: tensor<2xf32>) {
  %y = "cuda_tile.broadcast"(%x) : (tensor<2xf32>) -> tensor<2xf16>
  nv_tileaa.return
}

// -----

// the extents must be equal or 1
nv_tileaa.func @f(%x: tensor<2xf32>) {
  %y = "cuda_tile.broadcast"(%x) : (tensor<2xf32>) -> tensor<4xf32>
  nv_tileaa.return
}

// -----

// argument 0: is a tile without a static shape
nv_tileaa.func @f(%x: tensor<?xf32>) {
  nv_tileaa.return
}

// -----

// argument 0: has an unsupported type
nv_tileaa.func @f(%x: i128) {
  nv_tileaa.return
}

// -----

// coordinates exceed the address range
nv_tileaa.func @f(%X: !nv_tileaa.memref<?x?xf32>) {
  %far = arith.constant 1099511627776 : index
  %view = nv_tileaa.block_tile %X : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<4x4xf32, gmem>
  %x = nv_tileas.tiled_load %view[%far, %far] : !nv_tileaa.tiled_view<4x4xf32, gmem> -> tensor<4x4xf32>
  nv_tileaa.return
}

// -----

// coordinates exceed the address range
nv_tileaa.func @f(%X: !nv_tileaa.memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %far = arith.constant 1099511627776 : index
  %view = nv_tileaa.block_tile %X : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<4x4xf32, gmem>
  %x = nv_tileas.tiled_load %view[%far, %c0, %c0] {atom = #nv_tileas.atom<"tma_load_2d", leading_offset>} : !nv_tileaa.tiled_view<4x4xf32, gmem> -> tensor<4x4xf32>
  nv_tileaa.return
}

// -----

// a pointer that does not point into memory
nv_tileaa.func @f(%P: !nv_tileaa.ptr<f32>) {
  %far = arith.constant 576460752303423488 : i64
  %q = nv_tileaa.addptr %P, %far : !nv_tileaa.ptr<f32>, i64 -> !nv_tileaa.ptr<f32>
  %x = nv_tileas.load %q : !nv_tileaa.ptr<f32> -> f32
  nv_tileaa.return
}

// -----

// a pointer that does not point into memory
nv_tileaa.func @f(%P: !nv_tileaa.ptr<f32>) {
  %far = arith.constant 1099511627776 : i64
  %q = nv_tileaa.addptr %P, %far : !nv_tileaa.ptr<f32>, i64 -> !nv_tileaa.ptr<f32>
  %x = nv_tileas.load %q : !nv_tileaa.ptr<f32> -> f32
  nv_tileaa.return
}

// -----

// a pointer that does not point into memory
nv_tileaa.func @f(%P: !nv_tileaa.ptr<f32>) {
  %far = arith.constant 1099511627776 : i64
  %q = nv_tileaa.addptr %P, %far : !nv_tileaa.ptr<f32>, i64 -> !nv_tileaa.ptr<f32>
  %m = nv_tileaa.make_memref %q : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<8xf32>
  nv_tileaa.return
}

// -----

// an extent is negative or missing
nv_tileaa.func @f(%P: !nv_tileaa.ptr<f32>) {
  %n = arith.constant -1 : index
  %m = nv_tileaa.make_memref %P sizes[%n] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<?xf32>
  nv_tileaa.return
}

// -----

// memory that exceeds the address range
nv_tileaa.func @f(%P: !nv_tileaa.ptr<f32>) {
  %n = arith.constant 1099511627776 : index
  %m = nv_tileaa.make_memref %P sizes[%n] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<?xf32>
  nv_tileaa.return
}

// -----

// memory that exceeds the address range
nv_tileaa.func @f(%P: !nv_tileaa.ptr<f32>) {
  %n = arith.constant 1099511627776 : index
  %m = nv_tileaa.make_memref %P strides[%n] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<8xf32>
  nv_tileaa.return
}

// -----

// a pipeline of this many stages
nv_tileaa.func @f() {
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 262145 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<4xf32>]}
  nv_tileaa.return
}

// -----

// a pipeline with this much storage
nv_tileaa.func @f() {
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 262144 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<1024xf32>]}
  nv_tileaa.return
}

// -----

// a stage with a payload of this type
nv_tileaa.func @f() {
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<4xi128>]}
  nv_tileaa.return
}

// -----

// has tiles that do not fit in a slot of its storage
nv_tileaa.func @f() {
  %b = nv_tileas.alloc_tensor : !nv_tileas.tiled_view<2x4xf32, smem>
  %p = nv_tileas.async.pipeline.create_pipeline %b : !nv_tileas.tiled_view<2x4xf32, smem> {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<4xf32>, tensor<4xf32>]}
  nv_tileaa.return
}

// -----

// an operation on tiles with several results
nv_tileaa.func @f(%x: tensor<4xi1>) {
  %r = nv_tileas.reduce %x axis 0 : tensor<4xi1> -> i1 {
  ^bb0(%l: i1, %r: i1):
    %a, %b = arith.addui_extended %l, %r : i1, i1
    nv_tileas.yield %a : i1
  }
  nv_tileaa.return
}

// -----

// a tile in an elementwise region
nv_tileaa.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %r = nv_tileas.reduce %x axis 0 : tensor<4xf32> -> f32 {
  ^bb0(%l: f32, %r: f32):
    %s = "cuda_tile.exp2"(%y) : (tensor<4xf32>) -> f32
    nv_tileas.yield %s : f32
  }
  nv_tileaa.return
}

// -----

// a slice out of bounds
nv_tileaa.func @f(%x: tensor<8xf32>, %n: index) {
  %c5 = arith.constant 5 : index
  %y = nv_tileas.extract_slice %x[%c5] [4] [1] : tensor<8xf32> to tensor<4xf32>
  nv_tileaa.return
}

// -----

// a reshape of memory that is not contiguous
nv_tileaa.func @f() {
  %b = nv_tileas.alloc_tensor : !nv_tileas.tiled_view<4x8xf32, smem>
  %half = nv_tileas.extract_slice %b[0, 0] [4, 4] [1, 1] : !nv_tileas.tiled_view<4x8xf32, smem> to !nv_tileas.tiled_view<4x4xf32, smem>
  %line = nv_tileas.view %half : !nv_tileas.tiled_view<4x4xf32, smem> -> !nv_tileas.tiled_view<16xf32, smem>
  nv_tileaa.return
}

// -----

// a pattern of this form
nv_tileaa.func @f(%x: tensor<2x4xf32>) {
  %y = nv_tileas.shuffle %x {pattern = [1, 0]} : tensor<2x4xf32>
  nv_tileaa.return
}

// -----

// the sizes of the box and of the buffer differ
nv_tileaa.func @f(%X: !nv_tileaa.memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %view = nv_tileaa.block_tile %X : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<4x4xf32, gmem>
  %desc = nv_tileas.make_tiled_tma_desc %view {atom = #nv_tileas.atom<"tma_load_2d", box = [4, 4]>} : !nv_tileaa.tiled_view<4x4xf32, gmem>
  %buffer = nv_tileas.alloc_tensor : !nv_tileas.tiled_view<8x4xf32, smem>
  %none = nv_tileas.create_none : !nv_tileas.producer_token
  %done = nv_tileas.async.tiled_tma_load %desc[%c0, %c0] to %buffer barrier %none {atom = #nv_tileas.atom<"tma_load_2d", box = [8, 4]>} : !nv_tileas.tiled_view<8x4xf32, smem>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

// the numbers of lanes and coordinates and the buffer size do not match
nv_tileaa.func @f(%X: !nv_tileaa.memref<?x?xf32>, %rows: tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %view = nv_tileaa.block_tile %X : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<4x4xf32, gmem>
  %desc = nv_tileas.make_tiled_tma_desc %view {atom = #nv_tileas.atom<"tma_load_2d", box = [4, 4]>} : !nv_tileaa.tiled_view<4x4xf32, gmem>
  %buffer = nv_tileas.alloc_tensor : !nv_tileas.tiled_view<4x4xf32, smem>
  %none = nv_tileas.create_none : !nv_tileas.producer_token
  %done = nv_tileas.async.gather_tma_load %desc[%c0] lanes %rows to %buffer barrier %none {atom = #nv_tileas.atom<"tma_gather4">} : tensor<8xi32>, !nv_tileas.tiled_view<4x4xf32, smem>, !nv_tileas.producer_token
  nv_tileaa.return
}

// -----

// reads as a consumer other than the one that waited
nv_tileaa.func @f() {
  %p = nv_tileas.async.pipeline.create_pipeline {numStages = 1 : i32, numConsumers = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<4xf32>]}
  %pi = nv_tileas.async.pipeline.create_iterator %p as "producer" : !nv_tileas.iter<producer>
  %ci = nv_tileas.async.pipeline.create_iterator %p as "consumer" : !nv_tileas.iter<consumer>
  %own = nv_tileas.async.pipeline.producer_acquire %p, %pi : !nv_tileas.iter<producer>
  %full = nv_tileas.async.pipeline.producer_write %p, %own payload [tensor<4xf32>] {
  ^bb0(%slot: tensor<4xf32>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.producer_commit %p, %full
  %ready = nv_tileas.async.pipeline.consumer_wait %p, %ci consumer 0 : !nv_tileas.iter<consumer>
  %r = nv_tileas.async.pipeline.consumer_read %p, %ready consumer 1 payload [tensor<4xf32>] {
  ^bb0(%slot: tensor<4xf32>):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.consumer_release %p, %r
  nv_tileaa.return
}
