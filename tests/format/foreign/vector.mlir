// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s > %t
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %t | diff %t -

// Generic forms as mlir-opt writes them: vector.
#map = affine_map<(d0, d1) -> (d1, 0)>
#map1 = affine_map<(d0, d1) -> (d1)>
"builtin.module"() ({
  "func.func"() <{function_type = (vector<4x8xf32>, memref<8x8xf32>, index, vector<[4]xf32>, vector<8xi1>) -> vector<8xf32>, sym_name = "v"}> ({
  ^bb0(%arg0: vector<4x8xf32>, %arg1: memref<8x8xf32>, %arg2: index, %arg3: vector<[4]xf32>, %arg4: vector<8xi1>):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %1 = "vector.transfer_read"(%arg1, %arg2, %arg2, %0) <{in_bounds = [true, false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map}> : (memref<8x8xf32>, index, index, f32) -> vector<8x4xf32>
    %2 = "vector.extract"(%arg0) <{static_position = array<i64: 1, 2>}> : (vector<4x8xf32>) -> f32
    "vector.print"(%2) <{punctuation = #vector.punctuation<newline>}> : (f32) -> ()
    %3 = "vector.mask"(%arg4) ({
      %5 = "vector.transfer_read"(%arg1, %arg2, %arg2, %0) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map1}> : (memref<8x8xf32>, index, index, f32) -> vector<8xf32>
      "vector.yield"(%5) : (vector<8xf32>) -> ()
    }) : (vector<8xi1>) -> vector<8xf32>
    %4 = "vector.scalable.extract"(%arg3) <{pos = 0 : i64}> : (vector<[4]xf32>) -> vector<4xf32>
    "func.return"(%3) : (vector<8xf32>) -> ()
  }) : () -> ()
}) : () -> ()


// -----
#map = affine_map<(d0, d1) -> (d1)>
"builtin.module"() ({
  "func.func"() <{function_type = (vector<4x8xf32>, memref<8x8xf32>, index, vector<[4]xf32>, vector<8xi1>) -> vector<8xf32>, sym_name = "v"}> ({
  ^bb0(%arg0: vector<4x8xf32>, %arg1: memref<8x8xf32>, %arg2: index, %arg3: vector<[4]xf32>, %arg4: vector<8xi1>):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %1 = "vector.extract"(%arg0) <{static_position = array<i64: 1, 2>}> : (vector<4x8xf32>) -> f32
    "vector.print"(%1) <{punctuation = #vector.punctuation<newline>}> : (f32) -> ()
    %2 = "vector.mask"(%arg4) ({
      %3 = "vector.transfer_read"(%arg1, %arg2, %arg2, %0) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map}> : (memref<8x8xf32>, index, index, f32) -> vector<8xf32>
      "vector.yield"(%3) : (vector<8xf32>) -> ()
    }) : (vector<8xi1>) -> vector<8xf32>
    "func.return"(%2) : (vector<8xf32>) -> ()
  }) : () -> ()
}) : () -> ()

