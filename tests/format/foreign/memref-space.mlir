// RUN: orison-opt --allow-unregistered-dialect %s | FileCheck %s

// An attribute of another dialect is a memory space. (mlir-opt knows this one.)
// CHECK: func.func private @f(memref<4x4xf32, #gpu.address_space<workgroup>>)
func.func private @f(memref<4x4xf32, #gpu.address_space<workgroup>>)
