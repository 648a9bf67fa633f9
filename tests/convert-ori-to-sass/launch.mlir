// RUN: orison-opt %s --convert-ori-to-sass | FileCheck %s

// What a kernel says of its launch, for the driver; extents that are not given are 1.
// CHECK-LABEL: sass.func @bounds target "sm_90a"
// CHECK-SAME: resources = {cluster = array<i32: 2, 1, 1>, kernel, max_registers = 40 : i32, max_threads = array<i32: 128, 1, 1>, registers = 4 : i32, required_threads = array<i32: 64, 2, 1>}
ori.func kernel @bounds() target "sm_90a" attributes {cluster = array<i32: 2>, max_registers = 40 : i32, max_threads = array<i32: 128>, required_threads = array<i32: 64, 2>} {
  ori.exit
}
