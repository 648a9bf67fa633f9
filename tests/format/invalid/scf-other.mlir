// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

func.func @f(%a: i32) {
// expected-error @+1 {{'scf.execute_region' op along control flow edge from Operation}}
  %0 = scf.execute_region -> i64 {
// expected-note @+1 {{region branch point}}
    scf.yield %a : i32
  }
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{expected '{' to begin a region}}
  scf.execute_region
  return
}

// -----

func.func @f() {
// expected-error @+1 {{'scf.execute_region' op region needs to have at least one block}}
  "scf.execute_region"() ({}) : () -> ()
  return
}

// -----

func.func @f(%i: index) {
  scf.index_switch %i
  case 1 {
    scf.yield
  }
// expected-error @+1 {{custom op 'scf.index_switch' expected 'default'}}
  return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{'scf.index_switch' op has duplicate case value: 1}}
  scf.index_switch %i
  case 1 {
    scf.yield
  }
  case 1 {
    scf.yield
  }
  default {
    scf.yield
  }
  return
}

// -----

func.func @f(%i: index, %a: i32) {
// expected-error @+1 {{'scf.index_switch' op expected each region to return 1 values, but case}}
  %0 = scf.index_switch %i -> i32
  case 1 {
// expected-note @+1 {{see yield operation here}}
    scf.yield
  }
  default {
    scf.yield %a : i32
  }
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @f(%i: i32) {
// expected-error @+1 {{use of value '%i' expects different type than prior uses: 'index' vs}}
  scf.index_switch %i
  default {
    scf.yield
  }
  return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{'scf.index_switch' op has 0 case regions but 1 case values}}
  "scf.index_switch"(%i) <{cases = array<i64: 1>}> ({
    "scf.yield"() : () -> ()
  }) : (index) -> ()
  return
}

// -----

func.func @f(%i: index, %a: f32) {
// expected-error @+1 {{'scf.parallel' op expects number of results: 1 to be the same as number}}
  %0 = "scf.parallel"(%i, %i, %i, %a) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%k: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index, f32) -> f32
  return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{'scf.parallel' op operand count (3) does not match with the total size}}
  "scf.parallel"(%i, %i, %i) ({
  ^bb0(%k: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{'scf.parallel' op operand count (3) does not match with the total size}}
  "scf.parallel"(%i, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 2, 0>}> ({
  ^bb0(%k: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{'scf.forall' op attribute 'mapping' failed to satisfy constraint: Device}}
  scf.forall (%x) in (%i) {} {mapping = [1]}
  return
}

// -----

func.func @f(%n: index, %a: f32, %x: i32) {
  %r = scf.parallel (%i) = (%n) to (%n) step (%n) init (%a) -> f32 {
    // expected-error @+1 {{'scf.reduce' op expects type of 0-th reduction operand: 'i32' to be the same as the 0-th result type: 'f32'}}
    scf.reduce(%x : i32) {
    ^bb0(%p: i32, %q: i32):
      scf.reduce.return %p : i32
    }
  }
  return
}

// -----

func.func @f(%n: index) {
  %zero = arith.constant 0 : index
  // expected-error @+1 {{'scf.parallel' op constant step operand must be positive}}
  scf.parallel (%i) = (%n) to (%n) step (%zero) {
  }
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{custom op 'scf.while' expected as many input types as operands (expected 1 got 2)}}
  %0 = scf.while (%x = %a) : (i32, i32) -> i32 {
    %c = arith.constant true
    scf.condition(%c) %x : i32
  } do {
  ^bb0(%y: i32):
    scf.yield %y : i32
  }
  return
}
