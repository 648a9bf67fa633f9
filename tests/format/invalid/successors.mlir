// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

func.func @f(%a: i32) {
// expected-error @+1 {{branch has 0 operands for successor #0, but target block has 1}}
  cf.br ^b
^b(%x: i32):
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{branch has 1 operands for successor #0, but target block has 0}}
  cf.br ^b(%a : i32)
^b:
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{type mismatch for bb argument #0 of successor #0}}
  cf.br ^b(%a : i32)
^b(%x: i64):
  return
}

// -----

func.func @f(%c: i1, %a: i32) {
// expected-error @+1 {{branch has 0 operands for successor #1, but target block has 1}}
  cf.cond_br %c, ^b(%a : i32), ^b
^b(%x: i32):
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @f(%a: i32) {
// expected-error @+1 {{use of value '%a' expects different type than prior uses: 'i1' vs 'i32'}}
  cf.cond_br %a, ^b, ^b
^b:
  return
}

// -----

func.func @f(%c: i1) {
// expected-error @+1 {{expected ','}}
  cf.cond_br %c, ^b
^b:
  return
}

// -----

func.func @f(%c: i1) {
// expected-error @+1 {{'cf.cond_br' op requires 2 successors but found 1}}
  "cf.cond_br"(%c)[^b] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^b:
  return
}

// -----

func.func @f() {
// expected-error @+1 {{'cf.br' op requires 1 successor but found 0}}
  "cf.br"() : () -> ()
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{branch has 1 operands for successor #1, but target block has 0}}
  cf.switch %a : i32, [default: ^b, 1: ^c(%a : i32)]
^b:
  return
^c:
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{successors in non-terminator}}
  "arith.addi"(%a, %a)[^b] : (i32, i32) -> i32
^b:
  return
}
