// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s > %t
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %t | diff %t -

// Generic forms as mlir-opt writes them: affine loops, and what they are lowered to.
#map = affine_map<(d0)[s0] -> (d0, s0 + 3)>
#map1 = affine_map<(d0) -> (d0 * 2, 7)>
#map2 = affine_map<(d0) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<() -> (0, 0)>
#map5 = affine_map<(d0) -> (10, d0, 20)>
#map6 = affine_map<() -> (0)>
#map7 = affine_map<()[s0] -> (s0)>
#map8 = affine_map<(d0)[s0] -> (d0 * 2 + s0 floordiv 4)>
#map9 = affine_map<(d0, d1) -> (d0 + 1, d1 ceildiv 3, 7)>
#set = affine_set<(d0)[s0] : (d0 - 10 >= 0, -d0 + s0 >= 0, d0 mod 3 == 0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?x16xf32>, index) -> f32, sym_name = "f"}> ({
  ^bb0(%arg0: memref<?x16xf32>, %arg1: index):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %1 = "affine.for"(%arg1, %0) <{lowerBoundMap = #map6, operandSegmentSizes = array<i32: 0, 1, 1>, step = 2 : index, upperBoundMap = #map7}> ({
    ^bb0(%arg2: index, %arg3: f32):
      %5 = "affine.load"(%arg0, %arg2, %arg1) <{map = #map}> : (memref<?x16xf32>, index, index) -> f32
      "affine.if"(%arg2, %arg1) <{condition = #set}> ({
        "affine.store"(%5, %arg0, %arg2) <{map = #map1}> : (f32, memref<?x16xf32>, index) -> ()
        "affine.yield"() : () -> ()
      }, {
        "affine.prefetch"(%arg0, %arg2) <{isDataCache = true, isWrite = false, localityHint = 3 : i32, map = #map2}> : (memref<?x16xf32>, index) -> ()
        "affine.yield"() : () -> ()
      }) : (index, index) -> ()
      %6 = "affine.parallel"(%arg1) <{lowerBoundsGroups = dense<1> : tensor<2xi32>, lowerBoundsMap = #map4, reductions = [0], steps = [1, 1], upperBoundsGroups = dense<[1, 2]> : tensor<2xi32>, upperBoundsMap = #map5}> ({
      ^bb0(%arg4: index, %arg5: index):
        %8 = "affine.load"(%arg0, %arg4, %arg5) <{map = #map3}> : (memref<?x16xf32>, index, index) -> f32
        "affine.yield"(%8) : (f32) -> ()
      }) : (index) -> f32
      %7 = "arith.addf"(%5, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "affine.yield"(%7) : (f32) -> ()
    }) : (index, f32) -> f32
    %2 = "affine.vector_load"(%arg0) <{map = #map4}> : (memref<?x16xf32>) -> vector<8xf32>
    %3 = "affine.apply"(%arg1, %arg1) <{map = #map8}> : (index, index) -> index
    %4 = "affine.min"(%3, %arg1) <{map = #map9}> : (index, index) -> index
    "func.return"(%1) : (f32) -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?x16xf32>, index) -> f32, sym_name = "f"}> ({
  ^bb0(%arg0: memref<?x16xf32>, %arg1: index):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %1 = "arith.constant"() <{value = 0 : index}> : () -> index
    %2 = "arith.constant"() <{value = 2 : index}> : () -> index
    "cf.br"(%1, %0)[^bb1] : (index, f32) -> ()
  ^bb1(%3: index, %4: f32):  // 2 preds: ^bb0, ^bb11
    %5 = "arith.cmpi"(%3, %arg1) <{predicate = 2 : i64}> : (index, index) -> i1
    "cf.cond_br"(%5)[^bb2, ^bb12] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  ^bb2:  // pred: ^bb1
    %6 = "arith.constant"() <{value = 3 : index}> : () -> index
    %7 = "arith.addi"(%arg1, %6) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %8 = "memref.load"(%arg0, %3, %7) <{nontemporal = false}> : (memref<?x16xf32>, index, index) -> f32
    %9 = "arith.constant"() <{value = 0 : index}> : () -> index
    %10 = "arith.constant"() <{value = -10 : index}> : () -> index
    %11 = "arith.addi"(%3, %10) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %12 = "arith.cmpi"(%11, %9) <{predicate = 5 : i64}> : (index, index) -> i1
    %13 = "arith.constant"() <{value = -1 : index}> : () -> index
    %14 = "arith.muli"(%3, %13) <{overflowFlags = #arith.overflow<nsw>}> : (index, index) -> index
    %15 = "arith.addi"(%14, %arg1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %16 = "arith.cmpi"(%15, %9) <{predicate = 5 : i64}> : (index, index) -> i1
    %17 = "arith.andi"(%12, %16) : (i1, i1) -> i1
    %18 = "arith.constant"() <{value = 3 : index}> : () -> index
    %19 = "arith.remsi"(%3, %18) : (index, index) -> index
    %20 = "arith.constant"() <{value = 0 : index}> : () -> index
    %21 = "arith.cmpi"(%19, %20) <{predicate = 2 : i64}> : (index, index) -> i1
    %22 = "arith.addi"(%19, %18) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %23 = "arith.select"(%21, %22, %19) : (i1, index, index) -> index
    %24 = "arith.cmpi"(%23, %9) <{predicate = 0 : i64}> : (index, index) -> i1
    %25 = "arith.andi"(%17, %24) : (i1, i1) -> i1
    "cf.cond_br"(%25)[^bb3, ^bb4] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  ^bb3:  // pred: ^bb2
    %26 = "arith.constant"() <{value = 2 : index}> : () -> index
    %27 = "arith.muli"(%3, %26) <{overflowFlags = #arith.overflow<nsw>}> : (index, index) -> index
    %28 = "arith.constant"() <{value = 7 : index}> : () -> index
    "memref.store"(%8, %arg0, %27, %28) <{nontemporal = false}> : (f32, memref<?x16xf32>, index, index) -> ()
    "cf.br"()[^bb5] : () -> ()
  ^bb4:  // pred: ^bb2
    %29 = "arith.constant"() <{value = 0 : index}> : () -> index
    "memref.prefetch"(%arg0, %3, %29) <{isDataCache = true, isWrite = false, localityHint = 3 : i32}> : (memref<?x16xf32>, index, index) -> ()
    "cf.br"()[^bb5] : () -> ()
  ^bb5:  // 2 preds: ^bb3, ^bb4
    %30 = "arith.constant"() <{value = 0 : index}> : () -> index
    %31 = "arith.constant"() <{value = 10 : index}> : () -> index
    %32 = "arith.constant"() <{value = 0 : index}> : () -> index
    %33 = "arith.constant"() <{value = 20 : index}> : () -> index
    %34 = "arith.minsi"(%arg1, %33) : (index, index) -> index
    %35 = "arith.constant"() <{value = 1 : index}> : () -> index
    %36 = "arith.constant"() <{value = 1 : index}> : () -> index
    %37 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    "cf.br"(%30, %37)[^bb6] : (index, f32) -> ()
  ^bb6(%38: index, %39: f32):  // 2 preds: ^bb5, ^bb10
    %40 = "arith.cmpi"(%38, %31) <{predicate = 2 : i64}> : (index, index) -> i1
    "cf.cond_br"(%40)[^bb7, ^bb11] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  ^bb7:  // pred: ^bb6
    "cf.br"(%32, %39)[^bb8] : (index, f32) -> ()
  ^bb8(%41: index, %42: f32):  // 2 preds: ^bb7, ^bb9
    %43 = "arith.cmpi"(%41, %34) <{predicate = 2 : i64}> : (index, index) -> i1
    "cf.cond_br"(%43)[^bb9, ^bb10] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  ^bb9:  // pred: ^bb8
    %44 = "memref.load"(%arg0, %38, %41) <{nontemporal = false}> : (memref<?x16xf32>, index, index) -> f32
    %45 = "arith.addf"(%42, %44) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %46 = "arith.addi"(%41, %36) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    "cf.br"(%46, %45)[^bb8] : (index, f32) -> ()
  ^bb10:  // pred: ^bb8
    %47 = "arith.addi"(%38, %35) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    "cf.br"(%47, %42)[^bb6] : (index, f32) -> ()
  ^bb11:  // pred: ^bb6
    %48 = "arith.addf"(%8, %4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %49 = "arith.addi"(%3, %2) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    "cf.br"(%49, %48)[^bb1] : (index, f32) -> ()
  ^bb12:  // pred: ^bb1
    %50 = "arith.constant"() <{value = 0 : index}> : () -> index
    %51 = "arith.constant"() <{value = 0 : index}> : () -> index
    %52 = "vector.load"(%arg0, %50, %51) <{nontemporal = false}> : (memref<?x16xf32>, index, index) -> vector<8xf32>
    %53 = "arith.constant"() <{value = 2 : index}> : () -> index
    %54 = "arith.muli"(%arg1, %53) <{overflowFlags = #arith.overflow<nsw>}> : (index, index) -> index
    %55 = "arith.constant"() <{value = 4 : index}> : () -> index
    %56 = "arith.constant"() <{value = 0 : index}> : () -> index
    %57 = "arith.constant"() <{value = -1 : index}> : () -> index
    %58 = "arith.cmpi"(%arg1, %56) <{predicate = 2 : i64}> : (index, index) -> i1
    %59 = "arith.subi"(%57, %arg1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %60 = "arith.select"(%58, %59, %arg1) : (i1, index, index) -> index
    %61 = "arith.divsi"(%60, %55) : (index, index) -> index
    %62 = "arith.subi"(%57, %61) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %63 = "arith.select"(%58, %62, %61) : (i1, index, index) -> index
    %64 = "arith.addi"(%54, %63) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %65 = "arith.constant"() <{value = 1 : index}> : () -> index
    %66 = "arith.addi"(%64, %65) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %67 = "arith.constant"() <{value = 3 : index}> : () -> index
    %68 = "arith.constant"() <{value = 0 : index}> : () -> index
    %69 = "arith.constant"() <{value = 1 : index}> : () -> index
    %70 = "arith.cmpi"(%arg1, %68) <{predicate = 3 : i64}> : (index, index) -> i1
    %71 = "arith.subi"(%68, %arg1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %72 = "arith.subi"(%arg1, %69) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %73 = "arith.select"(%70, %71, %72) : (i1, index, index) -> index
    %74 = "arith.divsi"(%73, %67) : (index, index) -> index
    %75 = "arith.subi"(%68, %74) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %76 = "arith.addi"(%74, %69) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %77 = "arith.select"(%70, %75, %76) : (i1, index, index) -> index
    %78 = "arith.constant"() <{value = 7 : index}> : () -> index
    %79 = "arith.minsi"(%66, %77) : (index, index) -> index
    %80 = "arith.minsi"(%79, %78) : (index, index) -> index
    "func.return"(%4) : (f32) -> ()
  }) : () -> ()
}) : () -> ()

