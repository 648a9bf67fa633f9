// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

func.func @f(%a: f32) {
// expected-error @+1 {{'arith.addi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.addi %a, %a : f32
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{'arith.addf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.addf %a, %a : i32
  return
}

// -----

func.func @f(%a: index) {
// expected-error @+1 {{'arith.addf' op operand #0 must be floating-point-like, but got 'index'}}
  %0 = arith.addf %a, %a : index
  return
}

// -----

func.func @f(%a: si32) {
// expected-error @+1 {{'arith.addi' op operand #0 must be signless-integer-like, but got 'si32'}}
  %0 = arith.addi %a, %a : si32
  return
}

// -----

func.func @f(%a: !d.t) {
// expected-error @+1 {{'arith.muli' op operand #0 must be signless-integer-like, but got '!d.t'}}
  %0 = arith.muli %a, %a : !d.t
  return
}

// -----

func.func @f(%a: memref<2xi32>) {
// expected-error @+1 {{'arith.andi' op operand #0 must be signless-integer-like, but got}}
  %0 = arith.andi %a, %a : memref<2xi32>
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{'arith.addi' op expected 2 operands, but found 1}}
  %0 = "arith.addi"(%a) : (i32) -> i32
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{'arith.addi' op expected 2 operands, but found 3}}
  %0 = "arith.addi"(%a, %a, %a) : (i32, i32, i32) -> i32
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{'arith.addi' op requires the same type for all operands and results}}
  %0 = "arith.addi"(%a, %a) : (i32, i32) -> i64
  return
}

// -----

func.func @f(%a: i32, %b: i64) {
// expected-error @+1 {{'arith.addi' op requires the same type for all operands and results}}
  %0 = "arith.addi"(%a, %b) : (i32, i64) -> i32
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{'arith.addi' op requires one result}}
  "arith.addi"(%a, %a) : (i32, i32) -> ()
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{'arith.addi' op requires one result}}
  %0:2 = "arith.addi"(%a, %a) : (i32, i32) -> (i32, i32)
  return
}

// -----

func.func @f(%a: complex<f32>) {
// expected-error @+1 {{'arith.mulf' op operand #0 must be floating-point-like, but got}}
  %0 = arith.mulf %a, %a : complex<f32>
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{'arith.addi' op requires zero regions}}
  %0 = "arith.addi"(%a, %a) ({}) : (i32, i32) -> i32
  return
}
