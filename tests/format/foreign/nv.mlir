// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s > %t
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %t | diff %t -

// Generic forms as mlir-opt writes them: nvgpu and nvvm.
"builtin.module"() ({
  "func.func"() <{function_type = (!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>, !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, index, memref<64x64xf16, 3>) -> (), sym_name = "n"}> ({
  ^bb0(%arg2: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>, %arg3: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %arg4: index, %arg5: memref<64x64xf16, 3>):
    "nvgpu.tma.async.load"(%arg5, %arg2, %arg3, %arg4, %arg4, %arg4) <{operandSegmentSizes = array<i32: 1, 1, 1, 2, 1, 0, 0>}> : (memref<64x64xf16, 3>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>, !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, index, index, index) -> ()
    %1 = "nvgpu.mbarrier.arrive"(%arg2, %arg4) : (!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>, index) -> !nvgpu.mbarrier.token
    "func.return"() : () -> ()
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i64, ptr<3>)>, linkage = #llvm.linkage<external>, sym_name = "w", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i64, %arg1: !llvm.ptr<3>):
    "nvvm.wgmma.fence.aligned"() : () -> ()
    %0 = "nvvm.read.ptx.sreg.tid.x"() <{range = #llvm.constant_range<i32, 0, 128>}> : () -> i32
    "nvvm.cp.async.commit.group"() : () -> ()
    "nvvm.cp.async.wait.group"() <{n = 2 : i32}> : () -> ()
    "nvvm.barrier0"() : () -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "func.func"() <{function_type = (!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>, !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, index, memref<64x64xf16, 3>) -> (), sym_name = "n"}> ({
  ^bb0(%arg2: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>, %arg3: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %arg4: index, %arg5: memref<64x64xf16, 3>):
    %1 = "builtin.unrealized_conversion_cast"(%arg4) : (index) -> i64
    %2 = "builtin.unrealized_conversion_cast"(%arg3) : (!nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>) -> !llvm.ptr
    %3 = "builtin.unrealized_conversion_cast"(%arg2) : (!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>) -> !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
    %4 = "builtin.unrealized_conversion_cast"(%arg5) : (memref<64x64xf16, 3>) -> !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)>
    %5 = "llvm.extractvalue"(%4) <{position = array<i64: 1>}> : (!llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)>) -> !llvm.ptr<3>
    %6 = "llvm.addrspacecast"(%5) : (!llvm.ptr<3>) -> !llvm.ptr<7>
    %7 = "llvm.extractvalue"(%3) <{position = array<i64: 1>}> : (!llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>) -> !llvm.ptr<3>
    %8 = "llvm.getelementptr"(%7, %1) <{elem_type = i64, noWrapFlags = 0 : i32, rawConstantIndices = array<i32: -2147483648>}> : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>
    %9 = "llvm.trunc"(%1) <{overflowFlags = 0 : i32}> : (i64) -> i32
    %10 = "llvm.trunc"(%1) <{overflowFlags = 0 : i32}> : (i64) -> i32
    "nvvm.cp.async.bulk.tensor.shared.cluster.global"(%6, %2, %9, %10, %8) <{isCTAOnly = false, mode = #nvvm.tma_load_mode<tile>, operandSegmentSizes = array<i32: 1, 1, 2, 1, 0, 0, 0, 0>}> : (!llvm.ptr<7>, !llvm.ptr, i32, i32, !llvm.ptr<3>) -> ()
    %11 = "llvm.extractvalue"(%3) <{position = array<i64: 1>}> : (!llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>) -> !llvm.ptr<3>
    %12 = "llvm.getelementptr"(%11, %1) <{elem_type = i64, noWrapFlags = 0 : i32, rawConstantIndices = array<i32: -2147483648>}> : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>
    %13 = "nvvm.mbarrier.arrive"(%12) <{relaxed = false, scope = #nvvm.mem_scope<cta>}> : (!llvm.ptr<3>) -> i64
    "func.return"() : () -> ()
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i64, ptr<3>)>, linkage = #llvm.linkage<external>, sym_name = "w", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i64, %arg1: !llvm.ptr<3>):
    "nvvm.wgmma.fence.aligned"() : () -> ()
    %0 = "nvvm.read.ptx.sreg.tid.x"() <{range = #llvm.constant_range<i32, 0, 128>}> : () -> i32
    "nvvm.cp.async.commit.group"() : () -> ()
    "nvvm.cp.async.wait.group"() <{n = 2 : i32}> : () -> ()
    "nvvm.barrier0"() : () -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

