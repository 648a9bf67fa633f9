// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Rules that mlir-opt does not check, or reports in other words.

func.func @f(%i: index) {
  // expected-error @+1 {{'scf.parallel' op expects the same number of lower bounds, upper bounds and steps}}
  "scf.parallel"(%i, %i, %i) <{operandSegmentSizes = array<i32: 2, 0, 1, 0>}> ({
  ^a(%k: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'scf.forall' op 0-th region iter_arg and 0-th loop result have different type: 'tensor<4xf32>' != 'tensor<8xf32>'}}
  %0 = "scf.forall"(%x) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^a(%i: index, %y: tensor<4xf32>):
    "scf.forall.in_parallel"() ({
    ^b:
    }) : () -> ()
  }) : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{'scf.forall' op mapping attribute size must match op rank}}
  scf.forall (%i, %j, %k) in (%n, %n, %n) {
  } {mapping = [#d.x]}
  return
}

// -----

func.func @f(%a: f32, %b: vector<4xf32>) {
  // expected-error @+1 {{'arith.scaling_extf' op if a result is non-scalar, then at least one operand must be non-scalar}}
  %0 = "arith.scaling_extf"(%a, %a) : (f32, f32) -> vector<4xf32>
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error @+1 {{'cf.switch' op requires at least 1 successor but found 0}}
  "cf.switch"(%c) <{operandSegmentSizes = array<i32: 1, 0, 0>, case_operand_segments = array<i32>}> : (i1) -> ()
}

// -----

func.func @f(%c: i1) {
  // expected-error @+1 {{'cf.cond_br' op operand group starting at #0 requires 1 element, but found 2}}
  "cf.cond_br"(%c, %c)[^a, ^a] <{operandSegmentSizes = array<i32: 2, 0, 0>}> : (i1, i1) -> ()
^a:
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error @+1 {{'cf.cond_br' op 'operandSegmentSizes' attribute for specifying operand segments must have 3 elements, but got 2}}
  "cf.cond_br"(%c)[^a, ^a] <{operandSegmentSizes = array<i32: 1, 0>}> : (i1) -> ()
^a:
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error @+1 {{'cf.cond_br' op requires dense i32 array attribute 'operandSegmentSizes'}}
  "cf.cond_br"(%c)[^a, ^a] <{operandSegmentSizes = 1 : i32}> : (i1) -> ()
^a:
  return
}

// -----

// mlir-opt 22 crashes on this part.
func.func @f(%c: vector<4xi1>, %a: i32) {
  // expected-error @+1 {{'arith.select' op failed to verify that condition is signless i1 or has matching shape}}
  %0 = "arith.select"(%c, %a, %a) : (vector<4xi1>, i32, i32) -> i32
  return
}

// -----

// expected-error @+1 {{multiple layouts specified in memref type}}
"d.op"() {a = memref<4xf32, strided<[1]>, strided<[1]>>} : () -> ()

// -----

// expected-error @+1 {{expected float literal}}
"d.op"() {a = array<f32: "1">} : () -> ()

// -----

// expected-error @+1 {{unexpected complex elements for this type}}
"d.op"() {a = dense<(1.0, 2.0)> : tensor<2xf32>} : () -> ()
