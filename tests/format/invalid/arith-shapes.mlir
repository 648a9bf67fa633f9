// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Extents of tensors must be equal, even if one is dynamic.
func.func @f(%a: tensor<4xi32>) {
// expected-error @+1 {{'arith.extui' op failed to verify that input and output have the same tensor dimensions}}
  %0 = "arith.extui"(%a) : (tensor<4xi32>) -> tensor<?xi64>
  return
}

// -----

func.func @f(%a: vector<4xi32>) {
// expected-error @+1 {{'arith.trunci' op requires the same shape for all operands and results}}
  %0 = "arith.trunci"(%a) : (vector<4xi32>) -> vector<[4]xi8>
  return
}

// -----

// A shape mismatch is reported before a width mismatch.
func.func @f(%a: vector<4xi32>) {
// expected-error @+1 {{'arith.extsi' op requires the same shape for all operands and results}}
  %0 = "arith.extsi"(%a) : (vector<4xi32>) -> vector<8xi8>
  return
}

// -----

// Encodings.
func.func @f(%a: tensor<2xf32, "x">) {
// expected-error @+1 {{'arith.extf' op operand type 'tensor<2xf32, "x">' and result type 'tensor<2xf64, "y">' are cast incompatible}}
  %0 = "arith.extf"(%a) : (tensor<2xf32, "x">) -> tensor<2xf64, "y">
  return
}

// -----

func.func @f(%a: tensor<2xi32, "x">) {
// expected-error @+1 {{'arith.sitofp' op operand type 'tensor<2xi32, "x">' and result type 'tensor<2xf32>' are cast incompatible}}
  %0 = "arith.sitofp"(%a) : (tensor<2xi32, "x">) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xi32, "x">, %b: tensor<2xi32>) {
// expected-error @+1 {{'arith.addi' op requires the same encoding for all operands and results}}
  %0 = "arith.addi"(%a, %b) : (tensor<2xi32, "x">, tensor<2xi32>) -> tensor<2xi32, "x">
  return
}

// -----

func.func @f(%c: tensor<2xi1, "x">, %a: tensor<2xf32, "y">) {
// expected-error @+1 {{'arith.select' op expected condition type to have the same shape as the result type, expected 'tensor<2xi1, "y">', but got 'tensor<2xi1, "x">'}}
  %0 = "arith.select"(%c, %a, %a) : (tensor<2xi1, "x">, tensor<2xf32, "y">, tensor<2xf32, "y">) -> tensor<2xf32, "y">
  return
}

// -----

func.func @f(%a: tensor<4xi32, "x">) {
// expected-error @+1 {{'arith.cmpi' op failed to verify that result type has i1 element type and same shape as operands}}
  %0 = "arith.cmpi"(%a, %a) <{predicate = 0 : i64}> : (tensor<4xi32, "x">, tensor<4xi32, "x">) -> tensor<4xi1>
  return
}

// -----

// Scalars and non-scalars.
func.func @f(%a: vector<8xi32>) {
// expected-error @+1 {{'arith.addui_extended' op if an operand is non-scalar, then all results must be non-scalar}}
  %0:2 = "arith.addui_extended"(%a, %a) : (vector<8xi32>, vector<8xi32>) -> (vector<8xi32>, i1)
  return
}

// -----

func.func @f(%a: vector<8xf64>, %b: f64) {
// expected-error @+1 {{'arith.scaling_truncf' op if an operand is non-scalar, then there must be at least one non-scalar result}}
  %0 = "arith.scaling_truncf"(%b, %a) : (f64, vector<8xf64>) -> f32
  return
}

// -----

func.func @f(%a: f32) {
// expected-error @+1 {{custom op 'arith.cmpi' 'lhs' must be signless-integer-like, but got 'f32'}}
  %0 = arith.cmpi eq, %a, %a : f32
  return
}

// -----

func.func @f(%a: memref<*xi32>) {
// expected-error @+1 {{'arith.index_cast' op operand #0 must be signless-integer-like or memref of signless-integer, but got 'memref<*xi32>'}}
  %0 = "arith.index_cast"(%a) : (memref<*xi32>) -> memref<*xindex>
  return
}
