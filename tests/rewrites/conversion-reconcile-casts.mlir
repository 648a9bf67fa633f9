// Chains of casts back to the original types, and casts used by dead casts only, are erased.
//
// RUN: orison-opt --reconcile-unrealized-casts %s | FileCheck %s

// CHECK-LABEL: @there_and_back
// CHECK-NEXT: return %arg0
func.func @there_and_back(%x: i32) -> i32 {
  %0 = builtin.unrealized_conversion_cast %x : i32 to i64
  %1 = builtin.unrealized_conversion_cast %0 : i64 to i32
  return %1 : i32
}

// An intermediate cast with other uses is kept.
// CHECK-LABEL: @long_way
// CHECK-NEXT: %[[A:.*]] = builtin.unrealized_conversion_cast %arg0 : i32 to i64
// CHECK-NEXT: %[[B:.*]] = builtin.unrealized_conversion_cast %[[A]] : i64 to i16
// CHECK-NEXT: return %arg0, %[[B]]
func.func @long_way(%x: i32) -> (i32, i16) {
  %0 = builtin.unrealized_conversion_cast %x : i32 to i64
  %1 = builtin.unrealized_conversion_cast %0 : i64 to i16
  %2 = builtin.unrealized_conversion_cast %1 : i16 to i32
  return %2, %1 : i32, i16
}

// The operands are in another order than the results.
// CHECK-LABEL: @exchanged
// CHECK-COUNT-2: builtin.unrealized_conversion_cast
func.func @exchanged(%x: i32, %y: i32) -> (i32, i32) {
  %0:2 = builtin.unrealized_conversion_cast %x, %y : i32, i32 to f32, f32
  %1:2 = builtin.unrealized_conversion_cast %0#1, %0#0 : f32, f32 to i32, i32
  return %1#0, %1#1 : i32, i32
}

// CHECK-LABEL: @stays
// CHECK-NEXT: builtin.unrealized_conversion_cast %arg0 : i32 to f32
func.func @stays(%x: i32) -> f32 {
  %0 = builtin.unrealized_conversion_cast %x : i32 to f32
  return %0 : f32
}

// Casts in unreachable code may form cycles.
// CHECK-LABEL: @circle
// CHECK: ^bb1:
// CHECK-NEXT: cf.br ^bb1
func.func @circle() {
  return
^bb1:
  %0 = builtin.unrealized_conversion_cast %1 : i32 to f32
  %1 = builtin.unrealized_conversion_cast %0 : f32 to i32
  cf.br ^bb1
}
