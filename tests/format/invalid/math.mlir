// RUN: orison-opt --split-input-file --verify-diagnostics %s

func.func @f(%a: f32) {
  // expected-error @+1 {{'math.isnan' op result #0 must be bool-like, but got 'i32'}}
  %0 = "math.isnan"(%a) : (f32) -> i32
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+1 {{'math.isnan' op failed to verify that result type has i1 element type and same shape as operands}}
  %0 = "math.isnan"(%a) : (tensor<4xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @f(%a: f32, %i: i32) {
  // expected-error @+1 {{'math.fpowi' op failed to verify that all of {lhs, result} have same type}}
  %0 = "math.fpowi"(%a, %i) : (f32, i32) -> f64
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %i: i32) {
  // expected-error @+1 {{'math.fpowi' op requires the same shape for all operands and results}}
  %0 = math.fpowi %t, %i : tensor<4xf32>, i32
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error @+1 {{'math.sincos' op failed to verify that all of {operand, sin, cos} have same type}}
  %0:2 = "math.sincos"(%a) : (f32) -> (f32, f64)
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{custom op 'math.isnan' 'operand' must be floating-point-like, but got 'i32'}}
  %0 = math.isnan %i : i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'math.exp2' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.exp2 %i : i32
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error @+1 {{'math.ctpop' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = math.ctpop %a : f32
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error @+1 {{'math.fma' op requires the same type for all operands and results}}
  %0 = "math.fma"(%a, %a, %a) : (f32, f32, f32) -> f64
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error @+1 {{custom op 'math.clampf' expected 'to'}}
  %0 = math.clampf %a, %a : f32
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error @+1 {{expected '['}}
  %0 = math.clampf %a to %a, %a : f32
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error @+1 {{expected ','}}
  %0 = math.fma %a, %a : f32
  return
}
