// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s > %t
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %t | diff %t -

// Generic forms as mlir-opt writes them: the LLVM dialect.
"builtin.module"() ({
  "llvm.mlir.global"() <{addr_space = 0 : i32, alignment = 1 : i64, constant, global_type = !llvm.array<7 x i8>, linkage = #llvm.linkage<internal>, sym_name = "str", unnamed_addr = 0 : i64, value = "hello\00\0A", visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.mlir.global"() <{addr_space = 0 : i32, global_type = !llvm.struct<"foo", (i32, ptr, array<2 x f32>, struct<packed (i8, i16)>)>, linkage = #llvm.linkage<external>, sym_name = "st", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (ptr, ...)>, linkage = #llvm.linkage<external>, passthrough = ["nounwind", ["align", "16"]], sym_name = "printf", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, arg_attrs = [{llvm.noundef}, {llvm.byval = !llvm.struct<(i32)>}], frame_pointer = #llvm.framePointerKind<all>, function_type = !llvm.func<i32 (i32, ptr<3>)>, linkage = #llvm.linkage<external>, res_attrs = [{llvm.zeroext}], sym_name = "f", target_features = #llvm.target_features<["+sse", "+avx"]>, unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i32, %arg1: !llvm.ptr<3>):
    %0 = "llvm.mlir.constant"() <{value = 42 : i32}> : () -> i32
    %1 = "llvm.add"(%arg0, %0) <{overflowFlags = 3 : i32}> : (i32, i32) -> i32
    %2 = "llvm.alloca"(%1) <{alignment = 8 : i64, elem_type = !llvm.struct<"rec", (ptr, i32)>}> : (i32) -> !llvm.ptr
    %3 = "llvm.getelementptr"(%2) <{elem_type = !llvm.struct<"rec", (ptr, i32)>, noWrapFlags = 3 : i32, rawConstantIndices = array<i32: 0, 1>}> : (!llvm.ptr) -> !llvm.ptr
    "llvm.store"(%1, %3) <{alignment = 4 : i64, ordering = 0 : i64, volatile_}> : (i32, !llvm.ptr) -> ()
    %4 = "llvm.load"(%3) <{alignment = 4 : i64, ordering = 4 : i64, syncscope = "agent"}> : (!llvm.ptr) -> i32
    %5 = "llvm.icmp"(%4, %0) <{predicate = 2 : i64}> : (i32, i32) -> i1
    "llvm.cond_br"(%5, %4)[^bb1, ^bb2] <{branch_weights = array<i32: 3, 4>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, i32) -> ()
  ^bb1(%6: i32):  // pred: ^bb0
    "llvm.switch"(%6)[^bb2, ^bb3, ^bb3] <{case_operand_segments = array<i32: 0, 0>, case_values = dense<[1, -2]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
  ^bb2:  // 2 preds: ^bb0, ^bb1
    %7 = "llvm.mlir.addressof"() <{global_name = @printf}> : () -> !llvm.ptr
    %8 = "llvm.call"(%7, %1) <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @printf, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 2, 0>, var_callee_type = !llvm.func<i32 (ptr, ...)>}> : (!llvm.ptr, i32) -> i32
    %9 = "llvm.inline_asm"(%8) <{asm_dialect = 1 : i64, asm_string = "mov $0, $1", constraints = "=r,r", has_side_effects, tail_call_kind = #llvm.tailcallkind<none>}> : (i32) -> i32
    "llvm.return"(%8) : (i32) -> ()
  ^bb3:  // 2 preds: ^bb1, ^bb1
    %10 = "llvm.mlir.poison"() : () -> vector<4xf32>
    %11 = "llvm.intr.fabs"(%10) <{fastmathFlags = #llvm.fastmath<fast>}> : (vector<4xf32>) -> vector<4xf32>
    "llvm.unreachable"() : () -> ()
  }) : () -> ()
}) : () -> ()

