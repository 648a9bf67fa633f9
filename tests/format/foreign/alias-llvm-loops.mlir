// RUN: orison-opt --allow-unregistered-dialect %s | FileCheck %s

// Loop annotations as mlir-opt prints them: the alias of an attribute of a dialect that is not
// registered here is used in the text of another.
// CHECK-DAG: #loop_licm = #llvm.loop_licm<disable = true>
// CHECK-DAG: #loop_unroll = #llvm.loop_unroll<disable = true>
// CHECK: loop_annotation = #llvm.loop_annotation<unroll = #loop_unroll, licm = #loop_licm>
#loop_licm = #llvm.loop_licm<disable = true>
#loop_unroll = #llvm.loop_unroll<disable = true>
#loop_annotation = #llvm.loop_annotation<unroll = #loop_unroll, licm = #loop_licm>
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i32):
    "llvm.br"()[^bb1] <{loop_annotation = #loop_annotation}> : () -> ()
  ^bb1:  // pred: ^bb0
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

