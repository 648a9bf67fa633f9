// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.divf: fast-math flags are printed in a fixed order, all of them as `fast`.
func.func @f(%a: f32, %b: f32, %v: vector<4xbf16>, %t: tensor<2xf8E5M2>) {
  // CHECK:      %0 = arith.divf %arg0, %arg1 : f32
  // CHECK-NEXT: %1 = arith.divf %arg0, %arg1 fastmath<fast> : f32
  // CHECK-NEXT: %2 = arith.divf %arg0, %arg1 fastmath<fast> : f32
  // CHECK-NEXT: %3 = arith.divf %arg0, %arg1 fastmath<nnan,contract> {d.x} : f32
  // CHECK-NEXT: %4 = arith.divf %arg2, %arg2 fastmath<ninf,nsz> : vector<4xbf16>
  // CHECK-NEXT: %5 = arith.divf %arg3, %arg3 : tensor<2xf8E5M2>
  // GENERIC: %0 = "arith.divf"(%arg0, %arg1) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  // GENERIC: %3 = "arith.divf"(%arg0, %arg1) <{fastmath = #arith.fastmath<nnan,contract>}> {d.x} : (f32, f32) -> f32
  %0 = arith.divf %a, %b fastmath<none> : f32
  %1 = arith.divf %a, %b fastmath<fast> : f32
  %2 = arith.divf %a, %b fastmath<reassoc, nnan, ninf, nsz, arcp, contract, afn> : f32
  %3 = arith.divf %a, %b fastmath<contract, nnan> {d.x} : f32
  %4 = arith.divf %v, %v fastmath<nsz, ninf> : vector<4xbf16>
  %5 = "arith.divf"(%t, %t) : (tensor<2xf8E5M2>, tensor<2xf8E5M2>) -> tensor<2xf8E5M2>
  return
}
