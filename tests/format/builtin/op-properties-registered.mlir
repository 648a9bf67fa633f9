// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Registered operations take properties from either dictionary in generic form.
// CHECK: %c7_i32 = arith.constant 7 : i32
// GENERIC: %0 = "arith.constant"() <{value = 7 : i32}> : () -> i32
%0 = "arith.constant"() {value = 7 : i32} : () -> i32
// CHECK: %c8_i32 = arith.constant {d.x} 8 : i32
// GENERIC: %1 = "arith.constant"() <{value = 8 : i32}> {d.x} : () -> i32
%1 = "arith.constant"() <{value = 8 : i32}> {d.x} : () -> i32
