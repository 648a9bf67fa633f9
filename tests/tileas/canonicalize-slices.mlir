// RUN: orison-opt --canonicalize='disable-patterns=scf-for-few-trips,scf-if-to-select' %s | FileCheck %s

// The near misses of the rules for slices and loops.

// The last element of one slice is the first of the other: they are not disjoint.
// CHECK-LABEL: @touching
nv_tileaa.func @touching(%x: tensor<8xf16>, %a: tensor<4xf16>, %b: tensor<4xf16>) -> tensor<4xf16> {
  // CHECK: %[[SECOND:.*]] = nv_tileas.insert_slice %{{.*}}[3] [4] [1]
  // CHECK: %[[SLICE:.*]] = nv_tileas.extract_slice %[[SECOND]][0] [4] [1]
  // CHECK: nv_tileaa.return %[[SLICE]]
  %0 = nv_tileas.insert_slice %a into %x[0] [4] [1] : tensor<4xf16> into tensor<8xf16>
  %1 = nv_tileas.insert_slice %b into %0[3] [4] [1] : tensor<4xf16> into tensor<8xf16>
  %2 = nv_tileas.extract_slice %1[0] [4] [1] : tensor<8xf16> to tensor<4xf16>
  nv_tileaa.return %2 : tensor<4xf16>
}

// The same in the other order.
// CHECK-LABEL: @touching_before
nv_tileaa.func @touching_before(%x: tensor<8xf16>, %a: tensor<4xf16>, %b: tensor<4xf16>) -> tensor<4xf16> {
  // CHECK: %[[SECOND:.*]] = nv_tileas.insert_slice %{{.*}}[0] [4] [1]
  // CHECK: %[[SLICE:.*]] = nv_tileas.extract_slice %[[SECOND]][3] [4] [1]
  // CHECK: nv_tileaa.return %[[SLICE]]
  %0 = nv_tileas.insert_slice %a into %x[3] [4] [1] : tensor<4xf16> into tensor<8xf16>
  %1 = nv_tileas.insert_slice %b into %0[0] [4] [1] : tensor<4xf16> into tensor<8xf16>
  %2 = nv_tileas.extract_slice %1[3] [4] [1] : tensor<8xf16> to tensor<4xf16>
  nv_tileaa.return %2 : tensor<4xf16>
}

// Slices next to each other are disjoint.
// CHECK-LABEL: @adjacent
// CHECK-SAME: %{{[^,]*}}, %[[A:[^:]*]]:
nv_tileaa.func @adjacent(%x: tensor<8xf16>, %a: tensor<4xf16>, %b: tensor<4xf16>) -> tensor<4xf16> {
  // CHECK-NOT: extract_slice
  // CHECK: nv_tileaa.return %[[A]]
  %0 = nv_tileas.insert_slice %a into %x[0] [4] [1] : tensor<4xf16> into tensor<8xf16>
  %1 = nv_tileas.insert_slice %b into %0[4] [4] [1] : tensor<4xf16> into tensor<8xf16>
  %2 = nv_tileas.extract_slice %1[0] [4] [1] : tensor<8xf16> to tensor<4xf16>
  nv_tileaa.return %2 : tensor<4xf16>
}

// The offset 4 is the last inside: it becomes static. The offset 5 is one too many, and -1 too few.
// CHECK-LABEL: @constant_offsets
nv_tileaa.func @constant_offsets(%x: tensor<8x8xf16>) -> (tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf16>) {
  %before = arith.constant -1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  // CHECK: extract_slice %{{[^ ]*}}[4, 0] [4, 4] [1, 1]
  // CHECK: extract_slice %{{[^ ]*}}[%c5, 0] [4, 4] [1, 1]
  // CHECK: extract_slice %{{[^ ]*}}[%c-1, 0] [4, 4] [1, 1]
  %0 = nv_tileas.extract_slice %x[%c4, 0] [4, 4] [1, 1] : tensor<8x8xf16> to tensor<4x4xf16>
  %1 = nv_tileas.extract_slice %x[%c5, 0] [4, 4] [1, 1] : tensor<8x8xf16> to tensor<4x4xf16>
  %2 = nv_tileas.extract_slice %x[%before, 0] [4, 4] [1, 1] : tensor<8x8xf16> to tensor<4x4xf16>
  nv_tileaa.return %0, %1, %2 : tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf16>
}

// From 0 below 7 in steps of 3 are three iterations, and 5 times 3 are 15.
// CHECK-LABEL: @trips
nv_tileaa.func @trips(%p: !nv_tileaa.ptr<f32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
  // CHECK-DAG: %[[C15:.*]] = arith.constant 15 : index
  // CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[C15]] step
  // CHECK-DAG: arith.divsi %[[K]], %[[C3]]
  // CHECK-DAG: arith.remsi %[[K]], %[[C3]]
  scf.for %i = %c0 to %c5 step %c1 {
    scf.for %j = %c0 to %c7 step %c3 {
      %o = arith.addi %i, %j : index
      %q = nv_tileaa.addptr %p, %o : !nv_tileaa.ptr<f32>, index -> !nv_tileaa.ptr<f32>
      nv_tileas.store %q, %x : !nv_tileaa.ptr<f32>, f32
    }
  }
  nv_tileaa.return
}

// 20 times 12 iterations do not fit a signed counter of 8 bits, and 8 times 16 are one too many; 9 times
// 13 fit.
// CHECK-LABEL: @narrow_counter
nv_tileaa.func @narrow_counter(%p: !nv_tileaa.ptr<f32>, %x: f32) {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %c9 = arith.constant 9 : i8
  %c8 = arith.constant 8 : i8
  %c12 = arith.constant 12 : i8
  %c13 = arith.constant 13 : i8
  %c16 = arith.constant 16 : i8
  %c20 = arith.constant 20 : i8
  // CHECK: scf.for
  // CHECK-NEXT: scf.for
  scf.for %i = %c0 to %c20 step %c1 : i8 {
    scf.for %j = %c0 to %c12 step %c1 : i8 {
      %q = nv_tileaa.addptr %p, %j : !nv_tileaa.ptr<f32>, i8 -> !nv_tileaa.ptr<f32>
      nv_tileas.store %q, %x : !nv_tileaa.ptr<f32>, f32
    }
  }
  // CHECK: scf.for
  // CHECK-NEXT: scf.for
  scf.for %i = %c0 to %c8 step %c1 : i8 {
    scf.for %j = %c0 to %c16 step %c1 : i8 {
      %q = nv_tileaa.addptr %p, %j : !nv_tileaa.ptr<f32>, i8 -> !nv_tileaa.ptr<f32>
      nv_tileas.store %q, %x : !nv_tileaa.ptr<f32>, f32
    }
  }
  // CHECK: scf.for
  // CHECK-NEXT: arith.remsi
  scf.for %i = %c0 to %c9 step %c1 : i8 {
    scf.for %j = %c0 to %c13 step %c1 : i8 {
      %q = nv_tileaa.addptr %p, %j : !nv_tileaa.ptr<f32>, i8 -> !nv_tileaa.ptr<f32>
      nv_tileas.store %q, %x : !nv_tileaa.ptr<f32>, f32
    }
  }
  nv_tileaa.return
}
