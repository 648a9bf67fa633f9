// Casts are reconciled as by mlir-opt.
// REQUIRES: mlir-opt
// RUN: orison-opt --allow-unregistered-dialect --reconcile-unrealized-casts %s | mlir-opt --allow-unregistered-dialect --mlir-print-op-generic -o %t.ours
// RUN: mlir-opt --allow-unregistered-dialect --reconcile-unrealized-casts --mlir-print-op-generic %s -o %t.theirs
// RUN: diff %t.theirs %t.ours

func.func @there_and_back(%x: i32) -> i32 {
  %0 = builtin.unrealized_conversion_cast %x : i32 to i64
  %1 = builtin.unrealized_conversion_cast %0 : i64 to i32
  return %1 : i32
}

func.func @long_way(%x: i32) -> (i32, i16) {
  %0 = builtin.unrealized_conversion_cast %x : i32 to i64
  %1 = builtin.unrealized_conversion_cast %0 : i64 to i16
  %2 = builtin.unrealized_conversion_cast %1 : i16 to i32
  return %2, %1 : i32, i16
}

func.func @unused(%x: i32) {
  %0 = builtin.unrealized_conversion_cast %x : i32 to i64
  %1 = builtin.unrealized_conversion_cast %0 : i64 to i16
  return
}

func.func @several(%x: i32, %y: i64) -> (i32, i64) {
  %0 = builtin.unrealized_conversion_cast %x, %y : i32, i64 to f32
  %1:2 = builtin.unrealized_conversion_cast %0 : f32 to i32, i64
  return %1#0, %1#1 : i32, i64
}

func.func @exchanged(%x: i32, %y: i32) -> (i32, i32) {
  %0:2 = builtin.unrealized_conversion_cast %x, %y : i32, i32 to f32, f32
  %1:2 = builtin.unrealized_conversion_cast %0#1, %0#0 : f32, f32 to i32, i32
  return %1#0, %1#1 : i32, i32
}

func.func @stays(%x: i32) -> f32 {
  %0 = builtin.unrealized_conversion_cast %x : i32 to f32
  return %0 : f32
}

func.func @same_type(%x: i32) -> i32 {
  %0 = builtin.unrealized_conversion_cast %x : i32 to i32
  return %0 : i32
}

func.func @circle() {
  return
^bb1:
  %0 = builtin.unrealized_conversion_cast %1 : i32 to f32
  %1 = builtin.unrealized_conversion_cast %0 : f32 to i32
  cf.br ^bb1
}
