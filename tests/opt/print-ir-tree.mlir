// A directory for each operation from the outermost on, and files numbered per operation, as in mlir-opt.
// RUN: rm -rf %t.tree
// RUN: orison-opt --pass-pipeline='builtin.module(canonicalize,func.func(cse,canonicalize),cse)' --mlir-print-ir-before=cse --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%t.tree -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=LOG --allow-empty
// RUN: find %t.tree -type f | sort | FileCheck %s
// RUN: cat %t.tree/builtin_module_no-symbol-name/func_func_f/0_1_cse.mlir | FileCheck %s --check-prefix=TEXT
// A directory that cannot be created is an error.
// RUN: not orison-opt --cse --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%s -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=ERROR

// The log does not contain it.
// LOG-NOT: IR Dump

// CHECK:      tree/builtin_module_no-symbol-name/0_canonicalize.mlir
// CHECK-NEXT: tree/builtin_module_no-symbol-name/1_cse.mlir
// CHECK-NEXT: tree/builtin_module_no-symbol-name/2_cse.mlir
// CHECK-NEXT: tree/builtin_module_no-symbol-name/func_func_a_b/0_0_cse.mlir
// CHECK-NEXT: tree/builtin_module_no-symbol-name/func_func_a_b/0_1_cse.mlir
// CHECK-NEXT: tree/builtin_module_no-symbol-name/func_func_a_b/0_2_canonicalize.mlir
// CHECK-NEXT: tree/builtin_module_no-symbol-name/func_func_f/0_0_cse.mlir
// CHECK-NEXT: tree/builtin_module_no-symbol-name/func_func_f/0_1_cse.mlir
// CHECK-NEXT: tree/builtin_module_no-symbol-name/func_func_f/0_2_canonicalize.mlir
// CHECK-NOT:  {{.}}

// TEXT:      IR Dump After cse
// TEXT-NEXT: func.func @f(
// TEXT-NEXT:   %0 = arith.addi
// TEXT-NEXT:   %1 = arith.muli %0, %0
// TEXT-NOT:  func.func

// ERROR: error: cannot write the IR to '{{.*}}_cse.mlir':
// ERROR-NOT: cannot write
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
func.func @"a/b"() {
  return
}
