// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

func.func @f(%a: i32) {
// expected-error @+1 {{expected ','}}
  %0 = arith.addi %a %a : i32
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{expected ':'}}
  %0 = arith.addi %a, %a i32
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{expected ':'}}
  %0 = arith.addi %a, %a
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{expected SSA operand}}
  %0 = arith.addi %a, : i32
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+2 {{custom op 'arith.addi' expected ::mlir::arith::IntegerOverflowFlags to}}
// expected-error @+1 {{custom op 'arith.addi' failed to parse Arith_IntegerOverflowAttr}}
  %0 = arith.addi %a, %a overflow<fast> : i32
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{expected '>'}}
  %0 = arith.addi %a, %a overflow<nsw : i32
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{expected '<'}}
  %0 = arith.addi %a, %a overflow nsw : i32
  return
}

// -----

func.func @f(%a: f32) {
// expected-error @+2 {{custom op 'arith.addf' expected ::mlir::arith::FastMathFlags to be one}}
// expected-error @+1 {{custom op 'arith.addf' failed to parse Arith_FastMathAttr parameter}}
  %0 = arith.addf %a, %a fastmath<quick> : f32
  return
}

// -----

func.func @f(%a: f32) {
// expected-error @+2 {{custom op 'arith.addf' expected valid keyword or string}}
// expected-error @+1 {{custom op 'arith.addf' failed to parse Arith_FastMathAttr parameter}}
  %0 = arith.addf %a, %a fastmath<> : f32
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{expected ':'}}
  %0 = arith.andi %a, %a overflow<nsw> : i32
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{custom op 'arith.cmpi' expected string or keyword containing one of the}}
  %0 = arith.cmpi less, %a, %a : i32
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{custom op 'arith.cmpi' expected string or keyword containing one of the}}
  %0 = arith.cmpi %a, %a : i32
  return
}

// -----

func.func @f(%a: f32) {
// expected-error @+1 {{custom op 'arith.cmpf' expected string or keyword containing one of the}}
  %0 = arith.cmpf slt, %a, %a : f32
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{invalid properties {predicate = 10 : i64} for op arith.cmpi: Invalid}}
  %0 = "arith.cmpi"(%a, %a) <{predicate = 10 : i64}> : (i32, i32) -> i1
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{'arith.cmpi' op requires attribute 'predicate'}}
  %0 = "arith.cmpi"(%a, %a) : (i32, i32) -> i1
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{'arith.cmpi' op result #0 must be bool-like, but got 'i32'}}
  %0 = "arith.cmpi"(%a, %a) <{predicate = 1 : i64}> : (i32, i32) -> i32
  return
}

// -----

func.func @f(%a: f32) {
// expected-error @+1 {{expected ':'}}
  %0 = arith.truncf %a sideways : f32 to f16
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{invalid properties {overflowFlags = 1 : i32} for op arith.addi: Invalid}}
  %0 = "arith.addi"(%a, %a) <{overflowFlags = 1 : i32}> : (i32, i32) -> i32
  return
}
