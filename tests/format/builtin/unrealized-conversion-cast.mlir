// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Casts of zero, one and several values.
// CHECK:      %0 = unrealized_conversion_cast to i32
// CHECK-NEXT: %1:2 = unrealized_conversion_cast %0 : i32 to i1, i2
// CHECK-NEXT: %2 = unrealized_conversion_cast %1#0, %1#1 : i1, i2 to !d.x {d.q}
// GENERIC: %0 = "builtin.unrealized_conversion_cast"() : () -> i32
// GENERIC-NEXT: %1:2 = "builtin.unrealized_conversion_cast"(%0) : (i32) -> (i1, i2)
// GENERIC-NEXT: %2 = "builtin.unrealized_conversion_cast"(%1#0, %1#1) {d.q} : (i1, i2) -> !d.x
%0 = unrealized_conversion_cast to i32
%1:2 = builtin.unrealized_conversion_cast %0 : i32 to i1, i2
%2 = unrealized_conversion_cast %1#0, %1#1 : i1, i2 to !d.x {d.q}
