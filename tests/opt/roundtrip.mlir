// RUN: orison-opt --verify-roundtrip %s | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | orison-opt --verify-roundtrip | FileCheck %s
// RUN: orison-opt - < %s | FileCheck %s
// RUN: orison-opt %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir

// CHECK: func.func @f(%arg0: i32) -> i32 {
func.func @f(%a: i32) -> i32 {
  return %a : i32
}
