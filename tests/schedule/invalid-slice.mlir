// RUN: not orison-opt --allow-unregistered-dialect --split-input-file --tileas-slice %s 2>&1 | FileCheck %s

// CHECK: :[[@LINE+4]]:3: error: 'scf.for' op The `sliceCount` need to be a `IntegerAttr`
func.func @attribute(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
  } {sliceCount = "two"}
  return
}

// -----

// CHECK: error: 'scf.for' op attribute 'sliceCount' must be from 1 to 1024
func.func @range(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
  } {sliceCount = 0 : i32}
  return
}

// -----

// CHECK: error: 'arith.negf' op has 'sliceCount', but is no scf.for or scf.while
func.func @place(%x: tensor<8xf32>) {
  %a = arith.negf %x {sliceCount = 2 : i32} : tensor<8xf32>
  return
}

// -----

// CHECK: error: 'arith.negf' op attribute 'tileas.preferred_atom_size' must be a positive 32-bit signless integer
func.func @size(%x: tensor<8xf32>) {
  %a = arith.negf %x {tileas.preferred_atom_size = 0 : i32} : tensor<8xf32>
  return
}

// -----

// CHECK: error: 'test.op' op unsupported op in Slicing pass
// CHECK: note: it is no load, store, product, reduction or elementwise operation
// CHECK: note: sliceCount is here
func.func @unsupported(%x: tensor<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    %b = "test.op"(%a) : (tensor<8xf32>) -> tensor<8xf32>
    %c = arith.negf %b : tensor<8xf32>
    scf.yield %c : tensor<8xf32>
  } {sliceCount = 2 : i32}
  return
}

// -----

// CHECK: error: 'nv_tileas.scan' op unsupported op in Slicing pass
// CHECK: note: its 8 elements along axis 0 are not divided in 2: each element needs those before it
func.func @indivisible(%x: tensor<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    %b = nv_tileas.scan %a axis 0 : tensor<8xf32> -> tensor<8xf32> {
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      nv_tileas.yield %s : f32
    }
    scf.yield %b : tensor<8xf32>
  } {sliceCount = 2 : i32}
  return
}

// -----

// CHECK: error: 'scf.for' op is not expected inside sliced part in SlicingPass
// CHECK: note: sliceCount is here
func.func @inside(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
    } {sliceCount = 2 : i32}
  } {sliceCount = 2 : i32}
  return
}
