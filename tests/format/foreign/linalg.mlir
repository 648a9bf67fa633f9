// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s > %t
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %t | diff %t -

// Generic forms as mlir-opt writes them: linalg and tensor, and the loops that they become.
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<8x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>, sym_name = "g"}> ({
  ^bb0(%arg0: tensor<4x8xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<4x16xf32>):
    %0 = "linalg.matmul"(%arg0, %arg1, %arg2) <{indexing_maps = [#map, #map1, #map2], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg9: f32, %arg10: f32, %arg11: f32):
      %10 = "arith.mulf"(%arg9, %arg10) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %11 = "arith.addf"(%arg11, %10) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%11) : (f32) -> ()
    }) : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %1 = "linalg.generic"(%0, %arg2) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg7: f32, %arg8: f32):
      %9 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      "linalg.yield"(%arg7) : (f32) -> ()
    }) {foo = 1 : i8} : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %2 = "tensor.empty"() : () -> tensor<4x16xf32>
    %3 = "linalg.map"(%0, %2) ({
    ^bb0(%arg5: f32, %arg6: f32):
      %8 = "math.exp"(%arg5) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%8) : (f32) -> ()
    }) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %4 = "tensor.pad"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_high = array<i64: 2, 0>, static_low = array<i64: 0, 1>}> ({
    ^bb0(%arg3: index, %arg4: index):
      %7 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
      "tensor.yield"(%7) : (f32) -> ()
    }) : (tensor<4x8xf32>) -> tensor<6x9xf32>
    %5 = "tensor.extract_slice"(%4) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 8>, static_strides = array<i64: 1, 1>}> : (tensor<6x9xf32>) -> tensor<4x8xf32>
    %6 = "tensor.collapse_shape"(%5) <{reassociation = [[0, 1]]}> : (tensor<4x8xf32>) -> tensor<32xf32>
    "func.return"(%3) : (tensor<4x16xf32>) -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32, strided<[?, ?], offset: ?>>, memref<8x16xf32, strided<[?, ?], offset: ?>>, memref<4x16xf32, strided<[?, ?], offset: ?>>) -> memref<4x16xf32>, sym_name = "g"}> ({
  ^bb0(%arg0: memref<4x8xf32, strided<[?, ?], offset: ?>>, %arg1: memref<8x16xf32, strided<[?, ?], offset: ?>>, %arg2: memref<4x16xf32, strided<[?, ?], offset: ?>>):
    %0 = "arith.constant"() <{value = 9 : index}> : () -> index
    %1 = "arith.constant"() <{value = 6 : index}> : () -> index
    %2 = "arith.constant"() <{value = 8 : index}> : () -> index
    %3 = "arith.constant"() <{value = 16 : index}> : () -> index
    %4 = "arith.constant"() <{value = 1 : index}> : () -> index
    %5 = "arith.constant"() <{value = 4 : index}> : () -> index
    %6 = "arith.constant"() <{value = 0 : index}> : () -> index
    %7 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %8 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4x16xf32>
    "memref.copy"(%arg2, %8) : (memref<4x16xf32, strided<[?, ?], offset: ?>>, memref<4x16xf32>) -> ()
    "scf.for"(%6, %5, %4) ({
    ^bb0(%arg9: index):
      "scf.for"(%6, %3, %4) ({
      ^bb0(%arg10: index):
        "scf.for"(%6, %2, %4) ({
        ^bb0(%arg11: index):
          %17 = "memref.load"(%arg0, %arg9, %arg11) <{nontemporal = false}> : (memref<4x8xf32, strided<[?, ?], offset: ?>>, index, index) -> f32
          %18 = "memref.load"(%arg1, %arg11, %arg10) <{nontemporal = false}> : (memref<8x16xf32, strided<[?, ?], offset: ?>>, index, index) -> f32
          %19 = "memref.load"(%8, %arg9, %arg10) <{nontemporal = false}> : (memref<4x16xf32>, index, index) -> f32
          %20 = "arith.mulf"(%17, %18) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
          %21 = "arith.addf"(%19, %20) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
          "memref.store"(%21, %8, %arg9, %arg10) <{nontemporal = false}> : (f32, memref<4x16xf32>, index, index) -> ()
          "scf.yield"() : () -> ()
        }) : (index, index, index) -> ()
        "scf.yield"() : () -> ()
      }) : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "scf.for"(%6, %5, %4) ({
    ^bb0(%arg7: index):
      "scf.for"(%6, %3, %4) ({
      ^bb0(%arg8: index):
        %16 = "memref.load"(%8, %arg7, %arg8) <{nontemporal = false}> : (memref<4x16xf32>, index, index) -> f32
        "memref.store"(%16, %arg2, %arg7, %arg8) <{nontemporal = false}> : (f32, memref<4x16xf32, strided<[?, ?], offset: ?>>, index, index) -> ()
        "scf.yield"() : () -> ()
      }) : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    %9 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4x16xf32>
    "scf.for"(%6, %5, %4) ({
    ^bb0(%arg5: index):
      "scf.for"(%6, %3, %4) ({
      ^bb0(%arg6: index):
        %14 = "memref.load"(%8, %arg5, %arg6) <{nontemporal = false}> : (memref<4x16xf32>, index, index) -> f32
        %15 = "math.exp"(%14) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
        "memref.store"(%15, %9, %arg5, %arg6) <{nontemporal = false}> : (f32, memref<4x16xf32>, index, index) -> ()
        "scf.yield"() : () -> ()
      }) : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    %10 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<6x9xf32>
    "scf.for"(%6, %1, %4) ({
    ^bb0(%arg3: index):
      "scf.for"(%6, %0, %4) ({
      ^bb0(%arg4: index):
        "memref.store"(%7, %10, %arg3, %arg4) <{nontemporal = false}> : (f32, memref<6x9xf32>, index, index) -> ()
        "scf.yield"() : () -> ()
      }) : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    %11 = "memref.subview"(%10) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 1>, static_sizes = array<i64: 4, 8>, static_strides = array<i64: 1, 1>}> : (memref<6x9xf32>) -> memref<4x8xf32, strided<[9, 1], offset: 1>>
    "memref.copy"(%arg0, %11) : (memref<4x8xf32, strided<[?, ?], offset: ?>>, memref<4x8xf32, strided<[9, 1], offset: 1>>) -> ()
    %12 = "memref.subview"(%10) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 8>, static_strides = array<i64: 1, 1>}> : (memref<6x9xf32>) -> memref<4x8xf32, strided<[9, 1]>>
    %13 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4x8xf32>
    "memref.copy"(%12, %13) : (memref<4x8xf32, strided<[9, 1]>>, memref<4x8xf32>) -> ()
    "func.return"(%9) : (memref<4x16xf32>) -> ()
  }) : () -> ()
}) : () -> ()

