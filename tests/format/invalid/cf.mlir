// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

func.func @f(%a: i32) {
// expected-error @+1 {{custom op 'cf.switch' expected 'default'}}
  cf.switch %a : i32, [1: ^b]
^b:
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @f(%a: i32) {
// expected-error @+1 {{use of value '%a' expects different type than prior uses: 'i64' vs 'i32'}}
  cf.switch %a : i64, [default: ^b]
^b:
  return
}

// -----

func.func @f(%a: f32) {
// expected-error @+1 {{custom op 'cf.switch' invalid kind of type specified: expected}}
  cf.switch %a : f32, [default: ^b]
^b:
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{custom op 'cf.switch' expected integer value}}
  cf.switch %a : i32, [default: ^b, x: ^b]
^b:
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{expected ']'}}
  cf.switch %a : i32, [default: ^b 1: ^b]
^b:
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{'cf.switch' op 'flag' type ('i32') should match case value type ('i64')}}
  "cf.switch"(%a)[^b, ^b] <{case_operand_segments = array<i32: 0>, case_values = dense<1> : vector<1xi64>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^b:
  return
}

// -----

func.func @f(%c: i1) {
// expected-error @+1 {{expected ','}}
  cf.assert %c
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @f(%c: i32) {
// expected-error @+1 {{use of value '%c' expects different type than prior uses: 'i1' vs 'i32'}}
  cf.assert %c, "x"
  return
}

// -----

func.func @f(%c: i1) {
// expected-error @+1 {{expected attribute value}}
  cf.assert %c, x
  return
}

// -----

func.func @f(%c: i1) {
// expected-error @+1 {{expects number of branch weights to match number of successors: 1 vs 2}}
  cf.cond_br %c weights([1]), ^a, ^a
^a:
  return
}

// -----

func.func @f(%c: i1) {
// expected-error @+1 {{operation with block successors must terminate its parent block}}
  cf.br ^a
  cf.br ^a
^a:
  return
}

// -----

func.func @f(%c: i1) {
// expected-error @+1 {{expected block name}}
  cf.br
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{expected ':'}}
  cf.br ^b(%a)
^b(%x: i32):
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{custom op 'cf.br' number of operands and types do not match: got 1}}
  cf.br ^b(%a : i32, i32)
^b(%x: i32):
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error @+1 {{branch weights cannot all be zero}}
  cf.cond_br %c weights([0, 0]), ^a, ^a
^a:
  return
}
