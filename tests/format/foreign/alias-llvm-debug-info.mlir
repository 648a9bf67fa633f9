// RUN: orison-opt --allow-unregistered-dialect --mlir-print-debuginfo %s | FileCheck %s

// Debug info as mlir-opt prints it, with a structure that holds a pointer to itself: a chain of
// aliases in the metadata of a location. All are defined before the location, which is last.
// CHECK-DAG: #di_file = #llvm.di_file<"foo.c" in "/tmp">
// CHECK-DAG: #di_derived_type = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #di_composite_type, sizeInBits = 64>
// CHECK-DAG: #di_composite_type = #llvm.di_composite_type<recId = distinct[0]<>, isRecSelf = true>
// CHECK-DAG: #di_compile_unit = #llvm.di_compile_unit<id = distinct[1]<>, {{.*}}file = #di_file
// CHECK: module
// CHECK: loc(fused<#llvm.di_subprogram<id = distinct[2]<>, compileUnit = #di_compile_unit, scope = #di_file, {{.*}}type = #di_subroutine_type>>[#loc
#loc2 = loc("b.mlir":11:14)
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i32 loc("b.mlir":11:14)):
    "llvm.return"() : () -> () loc(#loc3)
  }) : () -> () loc(#loc4)
}) : () -> () loc(#loc)
#di_basic_type = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#di_composite_type = #llvm.di_composite_type<recId = distinct[0]<>, isRecSelf = true>
#di_file = #llvm.di_file<"foo.c" in "/tmp">
#loc = loc("b.mlir":0:0)
#loc1 = loc("foo.c":3:1)
#loc3 = loc("foo.c":4:2)
#di_compile_unit = #llvm.di_compile_unit<id = distinct[1]<>, sourceLanguage = DW_LANG_C, file = #di_file, producer = "x", isOptimized = true, emissionKind = Full>
#di_derived_type = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #di_composite_type, sizeInBits = 64>
#di_derived_type1 = #llvm.di_derived_type<tag = DW_TAG_member, name = "next", baseType = #di_derived_type>
#di_composite_type1 = #llvm.di_composite_type<recId = distinct[0]<>, tag = DW_TAG_structure_type, name = "S", file = #di_file, elements = #di_derived_type1>
#di_subroutine_type = #llvm.di_subroutine_type<types = #di_basic_type, #di_composite_type1>
#di_subprogram = #llvm.di_subprogram<id = distinct[2]<>, compileUnit = #di_compile_unit, scope = #di_file, name = "f", file = #di_file, line = 3, subprogramFlags = "Definition|Optimized", type = #di_subroutine_type>
#loc4 = loc(fused<#di_subprogram>[#loc1])

