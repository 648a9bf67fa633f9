// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.truncf: rounding modes precede fast-math flags.
func.func @f(%a: f32) {
  // CHECK:      %0 = arith.truncf %arg0 : f32 to f16
  // CHECK-NEXT: %1 = arith.truncf %arg0 to_nearest_even : f32 to f16
  // CHECK-NEXT: %2 = arith.truncf %arg0 downward : f32 to bf16
  // CHECK-NEXT: %3 = arith.truncf %arg0 upward fastmath<fast> : f32 to f16
  // CHECK-NEXT: %4 = arith.truncf %arg0 toward_zero {d.x} : f32 to f8E5M2
  // CHECK-NEXT: %5 = arith.truncf %arg0 to_nearest_away fastmath<nsz> : f32 to f16
  // CHECK-NEXT: %6 = arith.truncf %arg0 fastmath<arcp> : f32 to f16
  // GENERIC: %0 = "arith.truncf"(%arg0) : (f32) -> f16
  // GENERIC-NEXT: %1 = "arith.truncf"(%arg0) <{roundingmode = 0 : i32}> : (f32) -> f16
  // GENERIC-NEXT: %2 = "arith.truncf"(%arg0) <{roundingmode = 1 : i32}> : (f32) -> bf16
  // GENERIC-NEXT: %3 = "arith.truncf"(%arg0) <{fastmath = #arith.fastmath<fast>, roundingmode = 2 : i32}> : (f32) -> f16
  // GENERIC-NEXT: %4 = "arith.truncf"(%arg0) <{roundingmode = 3 : i32}> {d.x} : (f32) -> f8E5M2
  %0 = arith.truncf %a : f32 to f16
  %1 = arith.truncf %a to_nearest_even : f32 to f16
  %2 = arith.truncf %a downward : f32 to bf16
  %3 = arith.truncf %a upward fastmath<fast> : f32 to f16
  %4 = arith.truncf %a toward_zero {d.x} : f32 to f8E5M2
  %5 = arith.truncf %a to_nearest_away fastmath<nsz> : f32 to f16
  %6 = arith.truncf %a fastmath<arcp> : f32 to f16
  return
}
