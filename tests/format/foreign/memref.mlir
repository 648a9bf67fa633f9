// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s > %t
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %t | diff %t -

// Generic forms as mlir-opt writes them: memref.
#map = affine_map<(d0, d1) -> (d1, d0)>
"builtin.module"() ({
  "memref.global"() <{alignment = 64 : i64, constant, initial_value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>, sym_name = "g", sym_visibility = "private", type = memref<4xf32>}> : () -> ()
  "memref.global"() <{sym_name = "u", type = memref<2x3xi8, strided<[3, 1], offset: ?>, 3>}> : () -> ()
  "func.func"() <{function_type = (index, memref<?x?xf32, strided<[?, 1], offset: ?>>) -> memref<?xf32>, sym_name = "m"}> ({
  ^bb0(%arg0: index, %arg1: memref<?x?xf32, strided<[?, 1], offset: ?>>):
    %0 = "memref.alloc"(%arg0) <{alignment = 16 : i64, operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xf32>
    %1 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4x4xf32, #map, #gpu.address_space<workgroup>>
    %2 = "memref.subview"(%arg1, %arg0) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, -9223372036854775808>, static_sizes = array<i64: 4, 4>, static_strides = array<i64: 1, 2>}> : (memref<?x?xf32, strided<[?, 1], offset: ?>>, index) -> memref<4x4xf32, strided<[?, 2], offset: ?>>
    %3 = "memref.reinterpret_cast"(%0, %arg0) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<?xf32>, index) -> memref<?xf32, strided<[1]>>
    %4 = "memref.cast"(%0) : (memref<?xf32>) -> memref<*xf32>
    %5 = "memref.get_global"() <{name = @g}> : () -> memref<4xf32>
    %6 = "memref.load"(%5, %arg0) <{nontemporal = true}> : (memref<4xf32>, index) -> f32
    %7 = "memref.atomic_rmw"(%6, %5, %arg0) <{kind = 0 : i64}> : (f32, memref<4xf32>, index) -> f32
    "memref.dealloc"(%0) : (memref<?xf32>) -> ()
    "func.return"(%0) : (memref<?xf32>) -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "memref.global"() <{alignment = 64 : i64, constant, initial_value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>, sym_name = "g", sym_visibility = "private", type = memref<4xf32>}> : () -> ()
  "memref.global"() <{sym_name = "u", type = memref<2x3xi8, strided<[3, 1], offset: ?>, 3>}> : () -> ()
  "func.func"() <{function_type = (index, memref<?x?xf32, strided<[?, 1], offset: ?>>) -> memref<?xf32>, sym_name = "m"}> ({
  ^bb0(%arg0: index, %arg1: memref<?x?xf32, strided<[?, 1], offset: ?>>):
    %0 = "memref.alloc"(%arg0) <{alignment = 16 : i64, operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xf32>
    %1 = "memref.get_global"() <{name = @g}> : () -> memref<4xf32>
    %2 = "memref.load"(%1, %arg0) <{nontemporal = true}> : (memref<4xf32>, index) -> f32
    %3 = "memref.atomic_rmw"(%2, %1, %arg0) <{kind = 0 : i64}> : (f32, memref<4xf32>, index) -> f32
    "memref.dealloc"(%0) : (memref<?xf32>) -> ()
    "func.return"(%0) : (memref<?xf32>) -> ()
  }) : () -> ()
}) : () -> ()

