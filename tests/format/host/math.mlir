// RUN: orison-opt %s | FileCheck %s
// RUN: orison-opt %s | orison-opt | FileCheck %s
// RUN: orison-opt --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// math: every operation.
func.func @f(%a: f32, %t: tensor<?x4xf16>, %i: i32, %s: tensor<?x4xi8>, %v: vector<[4]xf64>, %n: index) {
  // CHECK: %0 = math.absf %arg0 : f32{{$}}
  // GENERIC: %0 = "math.absf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %0 = math.absf %a : f32
  // CHECK-NEXT: %1 = math.acos %arg0 : f32{{$}}
  // GENERIC: %1 = "math.acos"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %1 = math.acos %a : f32
  // CHECK-NEXT: %2 = math.acosh %arg0 : f32{{$}}
  // GENERIC: %2 = "math.acosh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %2 = math.acosh %a : f32
  // CHECK-NEXT: %3 = math.asin %arg0 : f32{{$}}
  // GENERIC: %3 = "math.asin"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %3 = math.asin %a : f32
  // CHECK-NEXT: %4 = math.asinh %arg0 : f32{{$}}
  // GENERIC: %4 = "math.asinh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %4 = math.asinh %a : f32
  // CHECK-NEXT: %5 = math.atan %arg0 : f32{{$}}
  // GENERIC: %5 = "math.atan"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %5 = math.atan %a : f32
  // CHECK-NEXT: %6 = math.atanh %arg0 : f32{{$}}
  // GENERIC: %6 = "math.atanh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %6 = math.atanh %a : f32
  // CHECK-NEXT: %7 = math.cbrt %arg0 : f32{{$}}
  // GENERIC: %7 = "math.cbrt"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %7 = math.cbrt %a : f32
  // CHECK-NEXT: %8 = math.ceil %arg0 : f32{{$}}
  // GENERIC: %8 = "math.ceil"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %8 = math.ceil %a : f32
  // CHECK-NEXT: %9 = math.cos %arg0 : f32{{$}}
  // GENERIC: %9 = "math.cos"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %9 = math.cos %a : f32
  // CHECK-NEXT: %10 = math.cosh %arg0 : f32{{$}}
  // GENERIC: %10 = "math.cosh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %10 = math.cosh %a : f32
  // CHECK-NEXT: %11 = math.erf %arg0 : f32{{$}}
  // GENERIC: %11 = "math.erf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %11 = math.erf %a : f32
  // CHECK-NEXT: %12 = math.erfc %arg0 : f32{{$}}
  // GENERIC: %12 = "math.erfc"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %12 = math.erfc %a : f32
  // CHECK-NEXT: %13 = math.exp %arg0 : f32{{$}}
  // GENERIC: %13 = "math.exp"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %13 = math.exp %a : f32
  // CHECK-NEXT: %14 = math.exp2 %arg0 : f32{{$}}
  // GENERIC: %14 = "math.exp2"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %14 = math.exp2 %a : f32
  // CHECK-NEXT: %15 = math.expm1 %arg0 : f32{{$}}
  // GENERIC: %15 = "math.expm1"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %15 = math.expm1 %a : f32
  // CHECK-NEXT: %16 = math.floor %arg0 : f32{{$}}
  // GENERIC: %16 = "math.floor"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %16 = math.floor %a : f32
  // CHECK-NEXT: %17 = math.log %arg0 : f32{{$}}
  // GENERIC: %17 = "math.log"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %17 = math.log %a : f32
  // CHECK-NEXT: %18 = math.log10 %arg0 : f32{{$}}
  // GENERIC: %18 = "math.log10"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %18 = math.log10 %a : f32
  // CHECK-NEXT: %19 = math.log1p %arg0 : f32{{$}}
  // GENERIC: %19 = "math.log1p"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %19 = math.log1p %a : f32
  // CHECK-NEXT: %20 = math.log2 %arg0 : f32{{$}}
  // GENERIC: %20 = "math.log2"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %20 = math.log2 %a : f32
  // CHECK-NEXT: %21 = math.round %arg0 : f32{{$}}
  // GENERIC: %21 = "math.round"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %21 = math.round %a : f32
  // CHECK-NEXT: %22 = math.roundeven %arg0 : f32{{$}}
  // GENERIC: %22 = "math.roundeven"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %22 = math.roundeven %a : f32
  // CHECK-NEXT: %23 = math.rsqrt %arg0 : f32{{$}}
  // GENERIC: %23 = "math.rsqrt"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %23 = math.rsqrt %a : f32
  // CHECK-NEXT: %24 = math.sin %arg0 : f32{{$}}
  // GENERIC: %24 = "math.sin"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %24 = math.sin %a : f32
  // CHECK-NEXT: %25 = math.sinh %arg0 : f32{{$}}
  // GENERIC: %25 = "math.sinh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %25 = math.sinh %a : f32
  // CHECK-NEXT: %26 = math.sqrt %arg0 : f32{{$}}
  // GENERIC: %26 = "math.sqrt"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %26 = math.sqrt %a : f32
  // CHECK-NEXT: %27 = math.tan %arg0 : f32{{$}}
  // GENERIC: %27 = "math.tan"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %27 = math.tan %a : f32
  // CHECK-NEXT: %28 = math.tanh %arg0 : f32{{$}}
  // GENERIC: %28 = "math.tanh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %28 = math.tanh %a : f32
  // CHECK-NEXT: %29 = math.trunc %arg0 : f32{{$}}
  // GENERIC: %29 = "math.trunc"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
  %29 = math.trunc %a : f32
  // CHECK-NEXT: %30 = math.atan2 %arg0, %arg0 : f32{{$}}
  // GENERIC: %30 = "math.atan2"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %30 = math.atan2 %a, %a : f32
  // CHECK-NEXT: %31 = math.copysign %arg0, %arg0 : f32{{$}}
  // GENERIC: %31 = "math.copysign"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %31 = math.copysign %a, %a : f32
  // CHECK-NEXT: %32 = math.powf %arg0, %arg0 : f32{{$}}
  // GENERIC: %32 = "math.powf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  %32 = math.powf %a, %a : f32
  // CHECK-NEXT: %33 = math.fma %arg0, %arg0, %arg0 : f32{{$}}
  // GENERIC: %33 = "math.fma"(%arg0, %arg0, %arg0) <{fastmath = #arith.fastmath<none>}> : (f32, f32, f32) -> f32
  %33 = math.fma %a, %a, %a : f32
  // CHECK-NEXT: %34 = math.clampf %arg0 to [%arg0, %arg0] : f32{{$}}
  // GENERIC: %34 = "math.clampf"(%arg0, %arg0, %arg0) <{fastmath = #arith.fastmath<none>}> : (f32, f32, f32) -> f32
  %34 = math.clampf %a to [%a, %a] : f32
  // CHECK-NEXT: %35 = math.fpowi %arg0, %arg2 : f32, i32{{$}}
  // GENERIC: %35 = "math.fpowi"(%arg0, %arg2) <{fastmath = #arith.fastmath<none>}> : (f32, i32) -> f32
  %35 = math.fpowi %a, %i : f32, i32
  // CHECK-NEXT: %36 = math.absi %arg2 : i32{{$}}
  // GENERIC: %36 = "math.absi"(%arg2) : (i32) -> i32
  %36 = math.absi %i : i32
  // CHECK-NEXT: %37 = math.ctlz %arg2 : i32{{$}}
  // GENERIC: %37 = "math.ctlz"(%arg2) : (i32) -> i32
  %37 = math.ctlz %i : i32
  // CHECK-NEXT: %38 = math.cttz %arg2 : i32{{$}}
  // GENERIC: %38 = "math.cttz"(%arg2) : (i32) -> i32
  %38 = math.cttz %i : i32
  // CHECK-NEXT: %39 = math.ctpop %arg2 : i32{{$}}
  // GENERIC: %39 = "math.ctpop"(%arg2) : (i32) -> i32
  %39 = math.ctpop %i : i32
  // CHECK-NEXT: %40 = math.ipowi %arg2, %arg2 : i32{{$}}
  // GENERIC: %40 = "math.ipowi"(%arg2, %arg2) : (i32, i32) -> i32
  %40 = math.ipowi %i, %i : i32
  // CHECK-NEXT: %41 = math.isfinite %arg0 : f32{{$}}
  // GENERIC: %41 = "math.isfinite"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> i1
  %41 = math.isfinite %a : f32
  // CHECK-NEXT: %42 = math.isinf %arg0 : f32{{$}}
  // GENERIC: %42 = "math.isinf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> i1
  %42 = math.isinf %a : f32
  // CHECK-NEXT: %43 = math.isnan %arg0 : f32{{$}}
  // GENERIC: %43 = "math.isnan"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> i1
  %43 = math.isnan %a : f32
  // CHECK-NEXT: %44 = math.isnormal %arg0 : f32{{$}}
  // GENERIC: %44 = "math.isnormal"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> i1
  %44 = math.isnormal %a : f32
  // CHECK-NEXT: %45 = math.exp2 %arg1 fastmath<fast> {d.x} : tensor<?x4xf16>{{$}}
  // GENERIC: %45 = "math.exp2"(%arg1) <{fastmath = #arith.fastmath<fast>}> {d.x} : (tensor<?x4xf16>) -> tensor<?x4xf16>
  %45 = math.exp2 %t fastmath<fast> {d.x} : tensor<?x4xf16>
  // CHECK-NEXT: %46 = math.fma %arg1, %arg1, %arg1 fastmath<contract> : tensor<?x4xf16>{{$}}
  %46 = math.fma %t, %t, %t fastmath<contract> : tensor<?x4xf16>
  // CHECK-NEXT: %47 = math.clampf %arg1 to [%arg1, %arg1] fastmath<nnan,ninf> {d.x} : tensor<?x4xf16>{{$}}
  %47 = math.clampf %t to [%t, %t] fastmath<ninf, nnan> {d.x} : tensor<?x4xf16>
  // CHECK-NEXT: %48 = math.fpowi %arg1, %arg3 fastmath<nsz> : tensor<?x4xf16>, tensor<?x4xi8>{{$}}
  %48 = math.fpowi %t, %s fastmath<nsz> : tensor<?x4xf16>, tensor<?x4xi8>
  // CHECK-NEXT: %49 = math.isnan %arg1 {d.x} : tensor<?x4xf16>{{$}}
  // GENERIC: %49 = "math.isnan"(%arg1) <{fastmath = #arith.fastmath<none>}> {d.x} : (tensor<?x4xf16>) -> tensor<?x4xi1>
  %49 = math.isnan %t {d.x, fastmath = #arith.fastmath<none>} : tensor<?x4xf16>
  // CHECK-NEXT: %50 = math.isinf %arg4 {fastmath = #arith.fastmath<nnan>} : vector<[4]xf64>{{$}}
  // GENERIC: %50 = "math.isinf"(%arg4) <{fastmath = #arith.fastmath<nnan>}> : (vector<[4]xf64>) -> vector<[4]xi1>
  %50 = math.isinf %v {fastmath = #arith.fastmath<nnan>} : vector<[4]xf64>
  // CHECK-NEXT: %51 = math.ctpop %arg5 : index{{$}}
  %51 = math.ctpop %n : index
  // CHECK-NEXT: %52 = math.ipowi %arg3, %arg3 {d.x} : tensor<?x4xi8>{{$}}
  %52 = math.ipowi %s, %s {d.x} : tensor<?x4xi8>
  // CHECK-NEXT: %sin, %cos = math.sincos %arg0 : f32
  // GENERIC: %53:2 = "math.sincos"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> (f32, f32)
  %x:2 = math.sincos %a : f32
  // CHECK-NEXT: %sin_0, %cos_1 = math.sincos %arg1 fastmath<afn> {d.x} : tensor<?x4xf16>
  %y:2 = math.sincos %t fastmath<afn> {d.x} : tensor<?x4xf16>
  return
}
