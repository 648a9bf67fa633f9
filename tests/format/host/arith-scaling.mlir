// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// arith.scaling_extf and arith.scaling_truncf.
func.func @f(%a: f32, %s: f8E8M0FNU, %n: vector<4xf4E2M1FN>, %vs: vector<4xf8E8M0FNU>) {
  // CHECK:      %0 = arith.scaling_extf %arg2, %arg3 : vector<4xf4E2M1FN>, vector<4xf8E8M0FNU> to vector<4xf32>
  // CHECK-NEXT: %1 = arith.scaling_truncf %arg0, %arg1 : f32, f8E8M0FNU to f4E2M1FN
  // CHECK-NEXT: %2 = arith.scaling_truncf %arg0, %arg1 to_nearest_even fastmath<fast> : f32, f8E8M0FNU to f4E2M1FN
  // GENERIC: %0 = "arith.scaling_extf"(%arg2, %arg3) : (vector<4xf4E2M1FN>, vector<4xf8E8M0FNU>) -> vector<4xf32>
  %0 = arith.scaling_extf %n, %vs : vector<4xf4E2M1FN>, vector<4xf8E8M0FNU> to vector<4xf32>
  %1 = arith.scaling_truncf %a, %s : f32, f8E8M0FNU to f4E2M1FN
  %2 = arith.scaling_truncf %a, %s to_nearest_even fastmath<fast> : f32, f8E8M0FNU to f4E2M1FN
  return
}
