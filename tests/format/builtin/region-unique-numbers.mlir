// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// In generic form numbers are unique, and the last of sibling regions is numbered first.
// GENERIC:      %0 = "d.op"() ({
// GENERIC-NEXT: %3 = "d.def"() : () -> i32
// GENERIC-NEXT: %4 = "d.def"() : () -> i32
// GENERIC-NEXT: }, {
// GENERIC-NEXT: %2 = "d.def"() : () -> i32
// GENERIC-NEXT: }, {
// GENERIC-NEXT: %1 = "d.def"() : () -> i32
// GENERIC-NEXT: }) : () -> i32
// CHECK:      %0 = "d.op"() ({
// CHECK-NEXT: %1 = "d.def"() : () -> i32
// CHECK-NEXT: %2 = "d.def"() : () -> i32
// CHECK-NEXT: }, {
// CHECK-NEXT: %1 = "d.def"() : () -> i32
// CHECK-NEXT: }, {
// CHECK-NEXT: %1 = "d.def"() : () -> i32
// CHECK-NEXT: }) : () -> i32
%0 = "d.op"() ({
  %1 = "d.def"() : () -> i32
  %2 = "d.def"() : () -> i32
}, {
  %1 = "d.def"() : () -> i32
}, {
  %1 = "d.def"() : () -> i32
}) : () -> i32
