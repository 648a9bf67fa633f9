// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.negf.
func.func @f(%a: f64, %v: vector<2xf16>) {
  // CHECK:      %0 = arith.negf %arg0 : f64
  // CHECK-NEXT: %1 = arith.negf %arg1 fastmath<nnan,ninf> {d.x} : vector<2xf16>
  // GENERIC: %0 = "arith.negf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f64) -> f64
  %0 = arith.negf %a : f64
  %1 = arith.negf %v fastmath<ninf, nnan> {d.x} : vector<2xf16>
  return
}
