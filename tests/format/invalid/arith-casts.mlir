// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

func.func @f(%a: i32) {
// expected-error @+1 {{'arith.extsi' op operand type 'i32' and result type 'i32' are cast}}
  %0 = arith.extsi %a : i32 to i32
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{'arith.extui' op operand type 'i32' and result type 'i16' are cast}}
  %0 = arith.extui %a : i32 to i16
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{'arith.trunci' op operand type 'i32' and result type 'i64' are cast}}
  %0 = arith.trunci %a : i32 to i64
  return
}

// -----

func.func @f(%a: f32) {
// expected-error @+1 {{'arith.extf' op operand type 'f32' and result type 'f16' are cast}}
  %0 = arith.extf %a : f32 to f16
  return
}

// -----

func.func @f(%a: f32) {
// expected-error @+1 {{'arith.truncf' op operand type 'f32' and result type 'f64' are cast}}
  %0 = arith.truncf %a : f32 to f64
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{'arith.sitofp' op result #0 must be floating-point-like, but got 'i64'}}
  %0 = arith.sitofp %a : i32 to i64
  return
}

// -----

func.func @f(%a: f32) {
// expected-error @+1 {{'arith.sitofp' op operand #0 must be signless-fixed-width-integer-like,}}
  %0 = arith.sitofp %a : f32 to f64
  return
}

// -----

func.func @f(%a: f32) {
// expected-error @+1 {{'arith.fptosi' op result #0 must be signless-fixed-width-integer-like,}}
  %0 = arith.fptosi %a : f32 to f16
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{'arith.index_cast' op operand type 'i32' and result type 'i64' are cast}}
  %0 = arith.index_cast %a : i32 to i64
  return
}

// -----

func.func @f(%a: index) {
// expected-error @+1 {{'arith.index_cast' op result #0 must be signless-integer-like or memref}}
  %0 = arith.index_cast %a : index to f32
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{'arith.bitcast' op operand type 'i32' and result type 'f64' are cast}}
  %0 = arith.bitcast %a : i32 to f64
  return
}

// -----

func.func @f(%a: vector<4xi32>) {
// expected-error @+1 {{'arith.extsi' op requires the same shape for all operands and results}}
  %0 = arith.extsi %a : vector<4xi32> to vector<8xi64>
  return
}

// -----

func.func @f(%a: vector<4xi32>) {
// expected-error @+1 {{'arith.extsi' op requires the same shape for all operands and results}}
  %0 = arith.extsi %a : vector<4xi32> to i64
  return
}

// -----

func.func @f(%a: tensor<4xi32>) {
// expected-error @+1 {{'arith.trunci' op failed to verify that input and output have the same}}
  %0 = arith.trunci %a : tensor<4xi32> to vector<4xi8>
  return
}

// -----

func.func @f(%a: i32) {
  %0 = arith.extsi %a : i32
// expected-error @+1 {{custom op 'arith.extsi' expected 'to'}}
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{custom op 'arith.extsi' expected 'to'}}
  %0 = arith.extsi %a : i32 as i64
  return
}
