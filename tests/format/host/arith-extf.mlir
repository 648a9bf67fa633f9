// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.extf: fast-math flags are optional.
func.func @f(%a: f16, %v: vector<4xf8E4M3FN>) {
  // CHECK:      %0 = arith.extf %arg0 : f16 to f32
  // CHECK-NEXT: %1 = arith.extf %arg0 fastmath<nnan> {d.x} : f16 to f64
  // CHECK-NEXT: %2 = arith.extf %arg1 : vector<4xf8E4M3FN> to vector<4xf16>
  // GENERIC: %0 = "arith.extf"(%arg0) : (f16) -> f32
  // GENERIC-NEXT: %1 = "arith.extf"(%arg0) <{fastmath = #arith.fastmath<nnan>}> {d.x} : (f16) -> f64
  %0 = arith.extf %a : f16 to f32
  %1 = arith.extf %a fastmath<nnan> {d.x} : f16 to f64
  %2 = arith.extf %v : vector<4xf8E4M3FN> to vector<4xf16>
  return
}
