// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.bitcast: the type before `to` is the operand's.
func.func @f(%a: i32, %b: vector<4xbf16>) {
  // CHECK:      %0 = arith.bitcast %arg0 : i32 to f32
  // CHECK-NEXT: %1 = arith.bitcast %arg1 {d.x = [1]} : vector<4xbf16> to vector<4xi16>
  // GENERIC: %0 = "arith.bitcast"(%arg0) : (i32) -> f32
  // GENERIC-NEXT: %1 = "arith.bitcast"(%arg1) {d.x = [1]} : (vector<4xbf16>) -> vector<4xi16>
  %0 = arith.bitcast %a : i32 to f32
  %1 = "arith.bitcast"(%b) {d.x = [1]} : (vector<4xbf16>) -> vector<4xi16>
  return
}
