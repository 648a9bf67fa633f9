// Local memory: the slots of a frame.
//
// RUN: orison-opt %s | FileCheck %s
// RUN: orison-opt %s --mlir-print-op-generic | orison-opt | FileCheck %s

// CHECK: ori.func @f() -> !ori.r target "sm_80" attributes {frame = [{alignment = 4 : i32, name = "n", offset = 0 : i32, size = 4 : i32}, {alignment = 16 : i32, name = "array", offset = 16 : i32, size = 40 : i32}]} {
ori.func @f() -> !ori.r target "sm_80" attributes {frame = [
    {name = "n", offset = 0 : i32, size = 4 : i32, alignment = 4 : i32},
    {name = "array", offset = 16 : i32, size = 40 : i32, alignment = 16 : i32}]} {
  // CHECK: %[[N:.*]] = ori.slot_address "n" : !ori.r
  %n = ori.slot_address "n" : !ori.r
  // CHECK: %[[ARRAY:.*]] = ori.slot_address "array" : !ori.r
  %array = ori.slot_address "array" : !ori.r
  // CHECK: ori.stl <b32> [%[[N]]], %[[ARRAY]] : (!ori.r, !ori.r) -> ()
  ori.stl [%n], %array : (!ori.r, !ori.r) -> ()
  ori.ret %n : !ori.r
}
