// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s > %t
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %t | diff %t -

// Generic forms as mlir-opt writes them: gpu.
"builtin.module"() ({
  "gpu.module"() <{sym_name = "k", targets = [#nvvm.target<O = 3, chip = "sm_90">]}> ({
    "gpu.func"() <{function_type = (memref<4xf32>) -> ()}> ({
    ^bb0(%arg14: memref<4xf32>, %arg15: memref<32xf32, #gpu.address_space<workgroup>>, %arg16: memref<1xf32, 5>):
      %1 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %2 = "memref.load"(%arg14, %1) : (memref<4xf32>, index) -> f32
      %3 = "gpu.all_reduce"(%2) <{op = #gpu<all_reduce_op add>, uniform}> ({
      }) : (f32) -> f32
      "gpu.barrier"() : () -> ()
      "gpu.return"() : () -> ()
    }) {gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, nvvm.maxntid = array<i32: 1, 2>, sym_name = "f", workgroup_attributions = 1 : i64} : () -> ()
  }) {dlti.dl_spec = #dlti.dl_spec<index = 32 : i32>} : () -> ()
  "func.func"() <{function_type = (index, memref<4xf32>) -> (), sym_name = "h"}> ({
  ^bb0(%arg0: index, %arg1: memref<4xf32>):
    "gpu.launch_func"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg1) <{kernel = @k::@f, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>}> : (index, index, index, index, index, index, memref<4xf32>) -> ()
    %0 = "gpu.wait"() : () -> !gpu.async.token
    "gpu.launch"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
    ^bb0(%arg2: index, %arg3: index, %arg4: index, %arg5: index, %arg6: index, %arg7: index, %arg8: index, %arg9: index, %arg10: index, %arg11: index, %arg12: index, %arg13: index):
      "gpu.terminator"() : () -> ()
    }) {workgroup_attributions = 0 : i64} : (index, index, index, index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()


// -----
"builtin.module"() ({
  "gpu.module"() <{sym_name = "k", targets = [#nvvm.target<O = 3, chip = "sm_90">]}> ({
    "gpu.func"() <{function_type = (memref<4xf32>) -> ()}> ({
    ^bb0(%arg2: memref<4xf32>, %arg3: memref<32xf32, #gpu.address_space<workgroup>>, %arg4: memref<1xf32, 5>):
      %13 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %14 = "memref.load"(%arg2, %13) : (memref<4xf32>, index) -> f32
      %15 = "gpu.all_reduce"(%14) <{op = #gpu<all_reduce_op add>, uniform}> ({
      }) : (f32) -> f32
      "gpu.barrier"() : () -> ()
      "gpu.return"() : () -> ()
    }) {gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, nvvm.maxntid = array<i32: 1, 2>, sym_name = "f", workgroup_attributions = 1 : i64} : () -> ()
  }) {dlti.dl_spec = #dlti.dl_spec<index = 32 : i32>} : () -> ()
  "func.func"() <{function_type = (index, memref<4xf32>) -> (), sym_name = "h"}> ({
  ^bb0(%arg0: index, %arg1: memref<4xf32>):
    "gpu.launch_func"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg1) <{kernel = @k::@f, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>}> : (index, index, index, index, index, index, memref<4xf32>) -> ()
    %12 = "gpu.wait"() : () -> !gpu.async.token
    "gpu.launch_func"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0) <{kernel = @h_kernel::@h_kernel, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0>}> : (index, index, index, index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "gpu.module"() <{sym_name = "h_kernel"}> ({
    "gpu.func"() <{function_type = () -> ()}> ({
      %0 = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
      %1 = "gpu.block_id"() <{dimension = #gpu<dim y>}> : () -> index
      %2 = "gpu.block_id"() <{dimension = #gpu<dim z>}> : () -> index
      %3 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %4 = "gpu.thread_id"() <{dimension = #gpu<dim y>}> : () -> index
      %5 = "gpu.thread_id"() <{dimension = #gpu<dim z>}> : () -> index
      %6 = "gpu.grid_dim"() <{dimension = #gpu<dim x>}> : () -> index
      %7 = "gpu.grid_dim"() <{dimension = #gpu<dim y>}> : () -> index
      %8 = "gpu.grid_dim"() <{dimension = #gpu<dim z>}> : () -> index
      %9 = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
      %10 = "gpu.block_dim"() <{dimension = #gpu<dim y>}> : () -> index
      %11 = "gpu.block_dim"() <{dimension = #gpu<dim z>}> : () -> index
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "h_kernel", workgroup_attributions = 0 : i64} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()

