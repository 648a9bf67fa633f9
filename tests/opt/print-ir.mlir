// RUN: orison-opt --pass-pipeline='builtin.module(func.func(cse,canonicalize))' --mlir-print-ir-before=cse --mlir-print-ir-after-all -o /dev/null %s 2>&1 | FileCheck %s
// RUN: orison-opt --pass-pipeline='builtin.module(func.func(cse,canonicalize))' --mlir-print-ir-after-all --mlir-print-ir-after-change -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: orison-opt --pass-pipeline='builtin.module(func.func(cse))' --mlir-print-ir-after=cse --mlir-print-ir-module-scope -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SCOPE
// The flags of the output are those of the dumps.
// RUN: orison-opt --cse --mlir-print-ir-after=cse --mlir-print-op-generic -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=GENERIC
// The output ends with an empty line, as that of mlir-opt.
// RUN: orison-opt %s | tail -n 1 | FileCheck %s --check-prefix=END --allow-empty
// GENERIC: IR Dump After cse
// GENERIC-NEXT: "builtin.module"() ({
// END-NOT: {{.}}

// CHECK:      // -----// IR Dump Before cse //----- //
// CHECK-NEXT: func.func @f(%arg0: i32) -> i32 {
// CHECK-NEXT:   %0 = arith.addi %arg0, %arg0 : i32
// CHECK-NEXT:   %1 = arith.addi %arg0, %arg0 : i32
// CHECK:      // -----// IR Dump After cse //----- //
// CHECK-NEXT: func.func @f(%arg0: i32) -> i32 {
// CHECK-NEXT:   %0 = arith.addi %arg0, %arg0 : i32
// CHECK-NEXT:   %1 = arith.muli %0, %0 : i32
// CHECK:      // -----// IR Dump After canonicalize //----- //
// CHECK:      // -----// IR Dump Before cse //----- //
// CHECK-NEXT: func.func @g() {

// CHANGE:     IR Dump After cse
// CHANGE-NOT: IR Dump

// SCOPE: // -----// IR Dump After cse ('func.func' operation: @f) //----- //
// SCOPE-NEXT: module {
// SCOPE: // -----// IR Dump After cse ('func.func' operation: @g) //----- //
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
func.func @g() {
  return
}
