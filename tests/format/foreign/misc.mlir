// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s > %t
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %t | diff %t -

// Generic forms as mlir-opt writes them: spirv, async, transform, pdl, tosa, emitc, irdl, ml_program, shape, complex, amx and smt.
"builtin.module"() ({
  "spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>, vce_triple = #spirv.vce<v1.3, [Shader, Kernel], [SPV_KHR_storage_buffer_storage_class]>}> ({
    "spirv.GlobalVariable"() <{binding = 1 : i32, descriptor_set = 0 : i32, sym_name = "v", type = !spirv.ptr<!spirv.struct<(!spirv.array<4 x f32, stride=4> [0])>, StorageBuffer>}> : () -> ()
    "spirv.func"() <{function_control = #spirv.function_control<None>, function_type = (vector<4xf32>) -> vector<4xf32>, sym_name = "f"}> ({
    ^bb0(%arg0: vector<4xf32>):
      %0 = "spirv.Constant"() <{value = dense<1.000000e+00> : vector<4xf32>}> : () -> vector<4xf32>
      %1 = "spirv.FAdd"(%arg0, %0) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
      "spirv.mlir.selection"() <{selection_control = #spirv.selection_control<None>}> ({
        "spirv.Branch"()[^bb1] : () -> ()
      ^bb1:  // pred: ^bb0
        "spirv.mlir.merge"() : () -> ()
      }) : () -> ()
      "spirv.ReturnValue"(%1) : (vector<4xf32>) -> ()
    }) {spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [32, 1, 1]>} : () -> ()
    "spirv.EntryPoint"() <{execution_model = #spirv.execution_model<GLCompute>, fn = @f, interface = []}> : () -> ()
    "spirv.SpecConstant"() <{default_value = 42 : i32, sym_name = "sc"}> {spec_id = 5 : i64} : () -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "pdl_interp.func"() <{function_type = (!pdl.operation) -> (), sym_name = "matcher"}> ({
  ^bb0(%arg1: !pdl.operation):
    "pdl_interp.finalize"() : () -> ()
  }) : () -> ()
  "builtin.module"() <{sym_name = "rewriters"}> ({
  ^bb0:
  }) : () -> ()
  "spirv.module"() <{addressing_model = #spirv.addressing_model<Logical>, memory_model = #spirv.memory_model<GLSL450>, vce_triple = #spirv.vce<v1.3, [Shader, Kernel], [SPV_KHR_storage_buffer_storage_class]>}> ({
    "spirv.GlobalVariable"() <{binding = 1 : i32, descriptor_set = 0 : i32, sym_name = "v", type = !spirv.ptr<!spirv.struct<(!spirv.array<4 x f32, stride=4> [0])>, StorageBuffer>}> : () -> ()
    "spirv.func"() <{function_control = #spirv.function_control<None>, function_type = (vector<4xf32>) -> vector<4xf32>, sym_name = "f"}> ({
    ^bb0(%arg0: vector<4xf32>):
      %0 = "spirv.Constant"() <{value = dense<1.000000e+00> : vector<4xf32>}> : () -> vector<4xf32>
      %1 = "spirv.FAdd"(%arg0, %0) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
      "spirv.mlir.selection"() <{selection_control = #spirv.selection_control<None>}> ({
        "spirv.Branch"()[^bb1] : () -> ()
      ^bb1:  // pred: ^bb0
        "spirv.mlir.merge"() : () -> ()
      }) : () -> ()
      "spirv.ReturnValue"(%1) : (vector<4xf32>) -> ()
    }) {spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [32, 1, 1]>} : () -> ()
    "spirv.EntryPoint"() <{execution_model = #spirv.execution_model<GLCompute>, fn = @f, interface = []}> : () -> ()
    "spirv.SpecConstant"() <{default_value = 42 : i32, sym_name = "sc"}> {spec_id = 5 : i64} : () -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> (), sym_name = "as"}> ({
  ^bb0(%arg0: f32):
    %0:2 = "async.execute"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
      "async.yield"(%arg0) : (f32) -> ()
    }) : () -> (!async.token, !async.value<f32>)
    %1 = "async.await"(%0#1) : (!async.value<f32>) -> f32
    "async.await"(%0#0) : (!async.token) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> (), sym_name = "as"}> ({
  ^bb0(%arg1: f32):
    %5:2 = "func.call"(%arg1) <{callee = @async_execute_fn}> : (f32) -> (!async.token, !async.value<f32>)
    "async.runtime.await"(%5#1) : (!async.value<f32>) -> ()
    %6 = "async.runtime.is_error"(%5#1) : (!async.value<f32>) -> i1
    %7 = "arith.constant"() <{value = true}> : () -> i1
    %8 = "arith.xori"(%6, %7) : (i1, i1) -> i1
    "cf.assert"(%8) <{msg = "Awaited async operand is in error state"}> : (i1) -> ()
    %9 = "async.runtime.load"(%5#1) : (!async.value<f32>) -> f32
    "async.runtime.await"(%5#0) : (!async.token) -> ()
    %10 = "async.runtime.is_error"(%5#0) : (!async.token) -> i1
    %11 = "arith.constant"() <{value = true}> : () -> i1
    %12 = "arith.xori"(%10, %11) : (i1, i1) -> i1
    "cf.assert"(%12) <{msg = "Awaited async operand is in error state"}> : (i1) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (f32) -> (!async.token, !async.value<f32>), sym_name = "async_execute_fn", sym_visibility = "private"}> ({
  ^bb0(%arg0: f32):
    %0 = "async.runtime.create"() : () -> !async.token
    %1 = "async.runtime.create"() : () -> !async.value<f32>
    %2 = "async.coro.id"() : () -> !async.coro.id
    %3 = "async.coro.begin"(%2) : (!async.coro.id) -> !async.coro.handle
    %4 = "async.coro.save"(%3) : (!async.coro.handle) -> !async.coro.state
    "async.runtime.resume"(%3) : (!async.coro.handle) -> ()
    "async.coro.suspend"(%4)[^bb4, ^bb1, ^bb3] : (!async.coro.state) -> ()
  ^bb1:  // pred: ^bb0
    "async.runtime.store"(%arg0, %1) : (f32, !async.value<f32>) -> ()
    "async.runtime.set_available"(%1) : (!async.value<f32>) -> ()
    "async.runtime.set_available"(%0) : (!async.token) -> ()
    "cf.br"()[^bb2] : () -> ()
  ^bb2:  // pred: ^bb1
    "async.coro.free"(%2, %3) : (!async.coro.id, !async.coro.handle) -> ()
    "cf.br"()[^bb4] : () -> ()
  ^bb3:  // pred: ^bb0
    "async.coro.free"(%2, %3) : (!async.coro.id, !async.coro.handle) -> ()
    "cf.br"()[^bb4] : () -> ()
  ^bb4:  // 3 preds: ^bb0, ^bb2, ^bb3
    "async.coro.end"(%3) : (!async.coro.handle) -> ()
    "func.return"(%0, %1) : (!async.token, !async.value<f32>) -> ()
  }) {passthrough = ["presplitcoroutine"]} : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "pdl_interp.func"() <{function_type = (!pdl.operation) -> (), sym_name = "matcher"}> ({
  ^bb0(%arg1: !pdl.operation):
    "pdl_interp.finalize"() : () -> ()
  }) : () -> ()
  "builtin.module"() <{sym_name = "rewriters"}> ({
  ^bb0:
  }) : () -> ()
  "func.func"() <{function_type = (f32) -> (), sym_name = "as"}> ({
  ^bb0(%arg0: f32):
    %0:2 = "async.execute"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
      "async.yield"(%arg0) : (f32) -> ()
    }) : () -> (!async.token, !async.value<f32>)
    %1 = "async.await"(%0#1) : (!async.value<f32>) -> f32
    "async.await"(%0#0) : (!async.token) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "transform.named_sequence"() <{arg_attrs = [{transform.readonly}, {}], function_type = (!transform.any_op, !transform.param<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: !transform.any_op, %arg1: !transform.param<i64>):
    %0 = "transform.structured.match"(%arg0) <{op_attrs = {a = 1 : i64}, ops = ["linalg.matmul"]}> : (!transform.any_op) -> !transform.op<"linalg.matmul">
    %1:3 = "transform.structured.tile_using_for"(%0) <{scalable_sizes = array<i1: false, true>, static_sizes = array<i64: 4, 8>}> : (!transform.op<"linalg.matmul">) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    "transform.apply_patterns"(%arg0) <{max_iterations = -1 : i64, max_num_rewrites = -1 : i64}> ({
      "transform.apply_patterns.canonicalization"() : () -> ()
    }) : (!transform.any_op) -> ()
    "transform.yield"() : () -> ()
  }) : () -> ()
}) {transform.with_named_sequence} : () -> ()


// -----
"builtin.module"() ({
  "pdl_interp.func"() <{function_type = (!pdl.operation) -> (), sym_name = "matcher"}> ({
  ^bb0(%arg2: !pdl.operation):
    "pdl_interp.finalize"() : () -> ()
  }) : () -> ()
  "builtin.module"() <{sym_name = "rewriters"}> ({
  ^bb0:
  }) : () -> ()
  "transform.named_sequence"() <{arg_attrs = [{transform.readonly}, {}], function_type = (!transform.any_op, !transform.param<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: !transform.any_op, %arg1: !transform.param<i64>):
    %0 = "transform.structured.match"(%arg0) <{op_attrs = {a = 1 : i64}, ops = ["linalg.matmul"]}> : (!transform.any_op) -> !transform.op<"linalg.matmul">
    %1:3 = "transform.structured.tile_using_for"(%0) <{scalable_sizes = array<i1: false, true>, static_sizes = array<i64: 4, 8>}> : (!transform.op<"linalg.matmul">) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    "transform.apply_patterns"(%arg0) <{max_iterations = -1 : i64, max_num_rewrites = -1 : i64}> ({
      "transform.apply_patterns.canonicalization"() : () -> ()
    }) : (!transform.any_op) -> ()
    "transform.yield"() : () -> ()
  }) : () -> ()
}) {transform.with_named_sequence} : () -> ()


// -----
"builtin.module"() ({
  "pdl.pattern"() <{benefit = 3 : i16, sym_name = "p"}> ({
    %0 = "pdl.type"() <{constantType = i32}> : () -> !pdl.type
    %1 = "pdl.operand"(%0) : (!pdl.type) -> !pdl.value
    %2 = "pdl.attribute"() <{value = "x"}> : () -> !pdl.attribute
    %3 = "pdl.operation"(%1, %2, %0) <{attributeValueNames = ["k"], opName = "foo.op", operandSegmentSizes = array<i32: 1, 1, 1>}> : (!pdl.value, !pdl.attribute, !pdl.type) -> !pdl.operation
    "pdl.rewrite"(%3, %1) <{name = "rew", operandSegmentSizes = array<i32: 1, 1>}> ({
    }) : (!pdl.operation, !pdl.value) -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "pdl_interp.func"() <{function_type = (!pdl.operation) -> (), sym_name = "matcher"}> ({
  ^bb0(%arg2: !pdl.operation):
    "pdl_interp.check_operation_name"(%arg2)[^bb2, ^bb1] <{name = "foo.op"}> : (!pdl.operation) -> ()
  ^bb1:  // 10 preds: ^bb0, ^bb2, ^bb3, ^bb4, ^bb5, ^bb6, ^bb7, ^bb8, ^bb9, ^bb10
    "pdl_interp.finalize"() : () -> ()
  ^bb2:  // pred: ^bb0
    "pdl_interp.check_operand_count"(%arg2)[^bb3, ^bb1] <{count = 1 : i32}> : (!pdl.operation) -> ()
  ^bb3:  // pred: ^bb2
    "pdl_interp.check_result_count"(%arg2)[^bb4, ^bb1] <{count = 1 : i32}> : (!pdl.operation) -> ()
  ^bb4:  // pred: ^bb3
    %0 = "pdl_interp.get_operand"(%arg2) <{index = 0 : i32}> : (!pdl.operation) -> !pdl.value
    "pdl_interp.is_not_null"(%0)[^bb5, ^bb1] : (!pdl.value) -> ()
  ^bb5:  // pred: ^bb4
    %1 = "pdl_interp.get_attribute"(%arg2) <{name = "k"}> : (!pdl.operation) -> !pdl.attribute
    "pdl_interp.is_not_null"(%1)[^bb6, ^bb1] : (!pdl.attribute) -> ()
  ^bb6:  // pred: ^bb5
    "pdl_interp.check_attribute"(%1)[^bb7, ^bb1] <{constantValue = "x"}> : (!pdl.attribute) -> ()
  ^bb7:  // pred: ^bb6
    %2 = "pdl_interp.get_result"(%arg2) <{index = 0 : i32}> : (!pdl.operation) -> !pdl.value
    "pdl_interp.is_not_null"(%2)[^bb8, ^bb1] : (!pdl.value) -> ()
  ^bb8:  // pred: ^bb7
    %3 = "pdl_interp.get_value_type"(%0) : (!pdl.value) -> !pdl.type
    "pdl_interp.check_type"(%3)[^bb9, ^bb1] <{type = i32}> : (!pdl.type) -> ()
  ^bb9:  // pred: ^bb8
    %4 = "pdl_interp.get_value_type"(%2) : (!pdl.value) -> !pdl.type
    "pdl_interp.are_equal"(%3, %4)[^bb10, ^bb1] : (!pdl.type, !pdl.type) -> ()
  ^bb10:  // pred: ^bb9
    "pdl_interp.record_match"(%arg2, %0, %arg2)[^bb1] <{benefit = 3 : i16, operandSegmentSizes = array<i32: 2, 1>, rewriter = @rewriters::@pdl_generated_rewriter, rootKind = "foo.op"}> : (!pdl.operation, !pdl.value, !pdl.operation) -> ()
  }) : () -> ()
  "builtin.module"() <{sym_name = "rewriters"}> ({
    "pdl_interp.func"() <{function_type = (!pdl.operation, !pdl.value) -> (), sym_name = "pdl_generated_rewriter"}> ({
    ^bb0(%arg0: !pdl.operation, %arg1: !pdl.value):
      "pdl_interp.apply_rewrite"(%arg0, %arg1) <{name = "rew"}> : (!pdl.operation, !pdl.value) -> ()
      "pdl_interp.finalize"() : () -> ()
    }) : () -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x4x4x3xf32>, tensor<1x3xi8>) -> tensor<*xf32>, sym_name = "tosa"}> ({
  ^bb0(%arg0: tensor<1x4x4x3xf32>, %arg1: tensor<1x3xi8>):
    %0 = "tosa.abs"(%arg0) : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
    %1 = "tosa.const"() <{values = dense<[1, -2]> : tensor<2xi8>}> : () -> tensor<2xi8>
    %2 = "tosa.cast"(%0) : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf16>
    %3 = "tensor.cast"(%0) : (tensor<1x4x4x3xf32>) -> tensor<*xf32>
    "func.return"(%3) : (tensor<*xf32>) -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "pdl_interp.func"() <{function_type = (!pdl.operation) -> (), sym_name = "matcher"}> ({
  ^bb0(%arg2: !pdl.operation):
    "pdl_interp.finalize"() : () -> ()
  }) : () -> ()
  "builtin.module"() <{sym_name = "rewriters"}> ({
  ^bb0:
  }) : () -> ()
  "func.func"() <{function_type = (tensor<1x4x4x3xf32>, tensor<1x3xi8>) -> tensor<*xf32>, sym_name = "tosa"}> ({
  ^bb0(%arg0: tensor<1x4x4x3xf32>, %arg1: tensor<1x3xi8>):
    %0 = "tosa.abs"(%arg0) : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
    %1 = "tosa.const"() <{values = dense<[1, -2]> : tensor<2xi8>}> : () -> tensor<2xi8>
    %2 = "tosa.cast"(%0) : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf16>
    %3 = "tensor.cast"(%0) : (tensor<1x4x4x3xf32>) -> tensor<*xf32>
    "func.return"(%3) : (tensor<*xf32>) -> ()
  }) : () -> ()
}) : () -> ()


// -----
#sparse = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed(nonunique, nonordered)), posWidth = 32, crdWidth = 8 }>
#sparse1 = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed), explicitVal = 1.000000e+00 : f32 }>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x?xf64, #sparse>, tensor<8xf32, #sparse1>) -> (), sym_name = "sp", sym_visibility = "private"}> ({
  }) : () -> ()
}) : () -> ()


// -----
#sparse = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed(nonunique, nonordered)), posWidth = 32, crdWidth = 8 }>
#sparse1 = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed), explicitVal = 1.000000e+00 : f32 }>
"builtin.module"() ({
  "pdl_interp.func"() <{function_type = (!pdl.operation) -> (), sym_name = "matcher"}> ({
  ^bb0(%arg0: !pdl.operation):
    "pdl_interp.finalize"() : () -> ()
  }) : () -> ()
  "builtin.module"() <{sym_name = "rewriters"}> ({
  ^bb0:
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x?xf64, #sparse>, tensor<8xf32, #sparse1>) -> (), sym_name = "sp", sym_visibility = "private"}> ({
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x!quant.uniform<i8:f32, 2.000000e-01:-3>>, !quant.uniform<u8<0:250>:f32:1, {1.000000e+00:2,3.000000e+00}>, !quant.any<i8:f32>, !quant.calibrated<f32<-1.500000e+00:2.500000e+00>>) -> (), sym_name = "q"}> ({
  ^bb0(%arg0: tensor<4x!quant.uniform<i8:f32, 2.000000e-01:-3>>, %arg1: !quant.uniform<u8<0:250>:f32:1, {1.000000e+00:2,3.000000e+00}>, %arg2: !quant.any<i8:f32>, %arg3: !quant.calibrated<f32<-1.500000e+00:2.500000e+00>>):
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "pdl_interp.func"() <{function_type = (!pdl.operation) -> (), sym_name = "matcher"}> ({
  ^bb0(%arg4: !pdl.operation):
    "pdl_interp.finalize"() : () -> ()
  }) : () -> ()
  "builtin.module"() <{sym_name = "rewriters"}> ({
  ^bb0:
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x!quant.uniform<i8:f32, 2.000000e-01:-3>>, !quant.uniform<u8<0:250>:f32:1, {1.000000e+00:2,3.000000e+00}>, !quant.any<i8:f32>, !quant.calibrated<f32<-1.500000e+00:2.500000e+00>>) -> (), sym_name = "q"}> ({
  ^bb0(%arg0: tensor<4x!quant.uniform<i8:f32, 2.000000e-01:-3>>, %arg1: !quant.uniform<u8<0:250>:f32:1, {1.000000e+00:2,3.000000e+00}>, %arg2: !quant.any<i8:f32>, %arg3: !quant.calibrated<f32<-1.500000e+00:2.500000e+00>>):
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "irdl.dialect"() <{sym_name = "cmath"}> ({
    "irdl.type"() <{sym_name = "complex"}> ({
      %1 = "irdl.is"() <{expected = f32}> : () -> !irdl.attribute
      %2 = "irdl.is"() <{expected = f64}> : () -> !irdl.attribute
      %3 = "irdl.any_of"(%1, %2) : (!irdl.attribute, !irdl.attribute) -> !irdl.attribute
      "irdl.parameters"(%3) <{names = ["elem"]}> : (!irdl.attribute) -> ()
    }) : () -> ()
    "irdl.operation"() <{sym_name = "mul"}> ({
      %0 = "irdl.is"() <{expected = i32}> : () -> !irdl.attribute
      "irdl.operands"(%0, %0, %0, %0) <{names = ["lhs", "rhs", "o", "v"], variadicity = #irdl<variadicity_array[ single,  single,  optional,  variadic]>}> : (!irdl.attribute, !irdl.attribute, !irdl.attribute, !irdl.attribute) -> ()
      "irdl.results"(%0) <{names = ["r"], variadicity = #irdl<variadicity_array[ single]>}> : (!irdl.attribute) -> ()
    }) : () -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "pdl_interp.func"() <{function_type = (!pdl.operation) -> (), sym_name = "matcher"}> ({
  ^bb0(%arg0: !pdl.operation):
    "pdl_interp.finalize"() : () -> ()
  }) : () -> ()
  "builtin.module"() <{sym_name = "rewriters"}> ({
  ^bb0:
  }) : () -> ()
  "irdl.dialect"() <{sym_name = "cmath"}> ({
    "irdl.type"() <{sym_name = "complex"}> ({
      %1 = "irdl.is"() <{expected = f32}> : () -> !irdl.attribute
      %2 = "irdl.is"() <{expected = f64}> : () -> !irdl.attribute
      %3 = "irdl.any_of"(%1, %2) : (!irdl.attribute, !irdl.attribute) -> !irdl.attribute
      "irdl.parameters"(%3) <{names = ["elem"]}> : (!irdl.attribute) -> ()
    }) : () -> ()
    "irdl.operation"() <{sym_name = "mul"}> ({
      %0 = "irdl.is"() <{expected = i32}> : () -> !irdl.attribute
      "irdl.operands"(%0, %0, %0, %0) <{names = ["lhs", "rhs", "o", "v"], variadicity = #irdl<variadicity_array[ single,  single,  optional,  variadic]>}> : (!irdl.attribute, !irdl.attribute, !irdl.attribute, !irdl.attribute) -> ()
      "irdl.results"(%0) <{names = ["r"], variadicity = #irdl<variadicity_array[ single]>}> : (!irdl.attribute) -> ()
    }) : () -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?x?xbf16>, index, !emitc.size_t, !amdgpu.tdm_base<i32>) -> (), sym_name = "amx"}> ({
  ^bb0(%arg0: memref<?x?xbf16>, %arg1: index, %arg2: !emitc.size_t, %arg3: !amdgpu.tdm_base<i32>):
    %0 = "amx.tile_load"(%arg0, %arg1, %arg1) <{operandSegmentSizes = array<i32: 1, 2, 0>}> : (memref<?x?xbf16>, index, index) -> !amx.tile<16x32xbf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "pdl_interp.func"() <{function_type = (!pdl.operation) -> (), sym_name = "matcher"}> ({
  ^bb0(%arg4: !pdl.operation):
    "pdl_interp.finalize"() : () -> ()
  }) : () -> ()
  "builtin.module"() <{sym_name = "rewriters"}> ({
  ^bb0:
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x?xbf16>, index, !emitc.size_t, !amdgpu.tdm_base<i32>) -> (), sym_name = "amx"}> ({
  ^bb0(%arg0: memref<?x?xbf16>, %arg1: index, %arg2: !emitc.size_t, %arg3: !amdgpu.tdm_base<i32>):
    %0 = "amx.tile_load"(%arg0, %arg1, %arg1) <{operandSegmentSizes = array<i32: 1, 2, 0>}> : (memref<?x?xbf16>, index, index) -> !amx.tile<16x32xbf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "func.func"() <{function_type = (complex<f32>, !shape.shape, !shape.witness) -> complex<f32>, sym_name = "cx"}> ({
  ^bb0(%arg0: complex<f32>, %arg1: !shape.shape, %arg2: !shape.witness):
    %0 = "complex.constant"() <{value = [1.000000e+00 : f32, -0.000000e+00 : f32]}> : () -> complex<f32>
    %1 = "complex.mul"(%arg0, %0) <{fastmath = #arith.fastmath<nnan,contract>}> : (complex<f32>, complex<f32>) -> complex<f32>
    %2 = "shape.const_shape"() <{shape = dense<[1, 2, 3]> : tensor<3xindex>}> : () -> !shape.shape
    %3 = "shape.assuming"(%arg2) ({
      %4 = "arith.constant"() <{value = 1 : index}> : () -> index
      "shape.assuming_yield"(%4) : (index) -> ()
    }) : (!shape.witness) -> index
    "func.return"(%1) : (complex<f32>) -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "func.func"() <{function_type = (complex<f32>, !shape.shape, !shape.witness) -> complex<f32>, sym_name = "cx"}> ({
  ^bb0(%arg0: complex<f32>, %arg1: !shape.shape, %arg2: !shape.witness):
    %0 = "complex.constant"() <{value = [1.000000e+00 : f32, -0.000000e+00 : f32]}> : () -> complex<f32>
    %1 = "shape.const_shape"() <{shape = dense<[1, 2, 3]> : tensor<3xindex>}> : () -> !shape.shape
    %2 = "shape.assuming"(%arg2) ({
      %3 = "arith.constant"() <{value = 1 : index}> : () -> index
      "shape.assuming_yield"(%3) : (index) -> ()
    }) : (!shape.witness) -> index
    "func.return"(%arg0) : (complex<f32>) -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "pdl_interp.func"() <{function_type = (!pdl.operation) -> (), sym_name = "matcher"}> ({
  ^bb0(%arg3: !pdl.operation):
    "pdl_interp.finalize"() : () -> ()
  }) : () -> ()
  "builtin.module"() <{sym_name = "rewriters"}> ({
  ^bb0:
  }) : () -> ()
  "func.func"() <{function_type = (complex<f32>, !shape.shape, !shape.witness) -> complex<f32>, sym_name = "cx"}> ({
  ^bb0(%arg0: complex<f32>, %arg1: !shape.shape, %arg2: !shape.witness):
    %0 = "complex.constant"() <{value = [1.000000e+00 : f32, -0.000000e+00 : f32]}> : () -> complex<f32>
    %1 = "complex.mul"(%arg0, %0) <{fastmath = #arith.fastmath<nnan,contract>}> : (complex<f32>, complex<f32>) -> complex<f32>
    %2 = "shape.const_shape"() <{shape = dense<[1, 2, 3]> : tensor<3xindex>}> : () -> !shape.shape
    %3 = "shape.assuming"(%arg2) ({
      %4 = "arith.constant"() <{value = 1 : index}> : () -> index
      "shape.assuming_yield"(%4) : (index) -> ()
    }) : (!shape.witness) -> index
    "func.return"(%1) : (complex<f32>) -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "smt.solver"() ({
    %0 = "smt.declare_fun"() <{namePrefix = "b"}> : () -> !smt.array<[!smt.bv<32> -> !smt.func<(!smt.int) !smt.bool>]>
    "smt.check"() ({
      "smt.yield"() : () -> ()
    }, {
      "smt.yield"() : () -> ()
    }, {
      "smt.yield"() : () -> ()
    }) : () -> ()
    "smt.yield"() : () -> ()
  }) : () -> ()
}) : () -> ()


// -----
"builtin.module"() ({
  "pdl_interp.func"() <{function_type = (!pdl.operation) -> (), sym_name = "matcher"}> ({
  ^bb0(%arg0: !pdl.operation):
    "pdl_interp.finalize"() : () -> ()
  }) : () -> ()
  "builtin.module"() <{sym_name = "rewriters"}> ({
  ^bb0:
  }) : () -> ()
  "smt.solver"() ({
    %0 = "smt.declare_fun"() <{namePrefix = "b"}> : () -> !smt.array<[!smt.bv<32> -> !smt.func<(!smt.int) !smt.bool>]>
    "smt.check"() ({
      "smt.yield"() : () -> ()
    }, {
      "smt.yield"() : () -> ()
    }, {
      "smt.yield"() : () -> ()
    }) : () -> ()
    "smt.yield"() : () -> ()
  }) : () -> ()
}) : () -> ()

