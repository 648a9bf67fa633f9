// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// The memory space is any attribute; an integer zero of any type is the default and is dropped.
// CHECK: [memref<4xf32>, memref<4xf32, 1>, memref<4xf32, 1 : i32>, memref<4xf32>, memref<4xf32, "shared">, memref<4xf32, {k = "v"}>]
"d.op"() {t = [memref<4xf32, 0>, memref<4xf32, 1>, memref<4xf32, 1 : i32>, memref<4xf32, 0 : i32>, memref<4xf32, "shared">, memref<4xf32, {k = "v"}>]} : () -> ()
