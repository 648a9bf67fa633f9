// RUN: orison-opt %s | FileCheck %s
// CHECK:      [[SUM:%[0-9]+]] = arith.addi
// CHECK-NEXT: return [[SUM]]
