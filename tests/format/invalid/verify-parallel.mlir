// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// One program for each rule of the verifiers of scf.parallel, scf.reduce and scf.forall.

func.func @f() {
  // expected-error @+1 {{'scf.parallel' op needs at least one tuple element for lowerBound, upperBound and step}}
  "scf.parallel"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
    "scf.reduce"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'scf.parallel' op expects the same number of induction variables: 2 as bound and step values: 1}}
  "scf.parallel"(%i, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^a(%k: index, %l: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'scf.parallel' op expects arguments for the induction variable to be of index type}}
  "scf.parallel"(%i, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^a(%k: i32):
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%i: index, %x: f32) {
  // expected-error @+1 {{'scf.parallel' op expects number of results: 1 to be the same as number of initial values: 2}}
  %0 = "scf.parallel"(%i, %i, %i, %x, %x) <{operandSegmentSizes = array<i32: 1, 1, 1, 2>}> ({
  ^a(%k: index):
    "scf.reduce"(%x) ({
    ^b(%p: f32, %q: f32):
      "scf.reduce.return"(%p) : (f32) -> ()
    }) : (f32) -> ()
  }) : (index, index, index, f32, f32) -> f32
  return
}

// -----

func.func @f(%i: index, %x: f32) {
  %0 = "scf.parallel"(%i, %i, %i, %x) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^a(%k: index):
    // expected-error @+1 {{'scf.reduce' op expected two block arguments with type 'f32' in the 0-th reduction region}}
    "scf.reduce"(%x) ({
    ^b(%p: f32, %q: f64):
      "scf.reduce.return"(%p) : (f32) -> ()
    }) : (f32) -> ()
  }) : (index, index, index, f32) -> f32
  return
}

// -----

func.func @f(%i: index, %x: f32) {
  %0 = "scf.parallel"(%i, %i, %i, %x) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^a(%k: index):
    // expected-error @+1 {{'scf.reduce' op reduction bodies must be terminated with an 'scf.reduce.return' op}}
    "scf.reduce"(%x) ({
    ^b(%p: f32, %q: f32):
      "d.end"(%p) : (f32) -> ()
    }) : (f32) -> ()
  }) : (index, index, index, f32) -> f32
  return
}

// -----

func.func @f(%i: index, %x: f32) {
  %0 = "scf.parallel"(%i, %i, %i, %x) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^a(%k: index):
    // expected-error @+1 {{empty block: expect at least a terminator}}
    "scf.reduce"(%x) ({
    ^b(%p: f32, %q: f32):
    }) : (f32) -> ()
  }) : (index, index, index, f32) -> f32
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'scf.parallel' op 'operandSegmentSizes' attribute cannot have negative elements}}
  "scf.parallel"(%i, %i, %i) <{operandSegmentSizes = array<i32: 1, -1, 3, 0>}> ({
  ^a(%k: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'scf.forall' op produces 1 results, but has only 0 outputs}}
  %0 = "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^a(%i: index):
    "scf.forall.in_parallel"() ({
    ^b:
    }) : () -> ()
  }) : () -> tensor<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'scf.forall' op region expects 1 arguments}}
  "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^a:
    "scf.forall.in_parallel"() ({
    ^b:
    }) : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'scf.forall' op expects 0-th block argument to be an index}}
  "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^a(%i: i32):
    "scf.forall.in_parallel"() ({
    ^b:
    }) : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'scf.forall' op type mismatch between 0-th output and corresponding block argument}}
  %0 = "scf.forall"(%x) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^a(%i: index, %y: tensor<8xf32>):
    "scf.forall.in_parallel"() ({
    ^b:
    }) : () -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected 1 upper bound values, got 2}}
  "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4, 4>, staticStep = array<i64: 1>}> ({
  ^a(%i: index):
    "scf.forall.in_parallel"() ({
    ^b:
    }) : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected 1 dynamic upper bound values}}
  "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: -9223372036854775808>, staticStep = array<i64: 1>}> ({
  ^a(%i: index):
    "scf.forall.in_parallel"() ({
    ^b:
    }) : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%n: index) {
  scf.forall (%i) in (%n) {
    // expected-error @+1 {{'scf.forall.in_parallel' op expected only ParallelCombiningOpInterface ops}}
    scf.forall.in_parallel {
      %0 = arith.constant 1 : i32
    }
  }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+2 {{'scf.forall' op expects regions to end with 'scf.forall.in_parallel', found 'd.end'}}
  // expected-note @+1 {{in custom textual format, the absence of terminator implies 'scf.forall.in_parallel'}}
  "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^a(%i: index):
    "d.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected 2 upper bound values, got 1}}
  scf.forall (%i, %j) in (4) {
  }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected 2 step values, got 1}}
  scf.forall (%i, %j) = (0, 0) to (4, 4) step (1) {
  }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected SSA value or integer}}
  scf.forall (%i) in (x) {
  }
  return
}
