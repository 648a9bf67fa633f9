// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

func.func @f() {
// expected-error @+1 {{operand #0 does not dominate this use}}
  "d.use"(%0) : (i32) -> ()
// expected-note @+1 {{operand defined here (op in the same block)}}
  %0 = "d.def"() : () -> i32
  return
}

// -----

func.func @f(%c: i1) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
// expected-note @+1 {{operand defined here (op in the same region)}}
  %0 = arith.constant 1 : i32
  cf.br ^b
^b:
// expected-error @+1 {{operand #0 does not dominate this use}}
  return %0 : i32
}

// -----

func.func @f() {
// expected-error @+2 {{operand #0 does not dominate this use}}
// expected-note @+1 {{operand defined here (op in the same block)}}
  %0 = "d.op"(%0) : (i32) -> i32
  return
}

// -----

func.func @f(%c: i1) {
// expected-error @+1 {{operand #1 does not dominate this use}}
  cf.cond_br %c, ^a(%x : i32), ^b
^a(%y: i32):
  cf.br ^b
^b:
// expected-note @+1 {{operand defined here (op in the same region)}}
  %x = arith.constant 1 : i32
  return
}

// -----

func.func @f() {
  scf.execute_region {
// expected-error @+1 {{operand #0 does not dominate this use}}
    "d.use"(%0) : (i32) -> ()
    scf.yield
  }
// expected-note @+1 {{operand defined here (op in a parent region)}}
  %0 = "d.def"() : () -> i32
  return
}

// -----

func.func @f(%i: index) {
  scf.for %k = %i to %i step %i {
// expected-error @+1 {{operand #0 does not dominate this use}}
    %0 = arith.addi %1, %k : index
// expected-note @+1 {{operand defined here (op in the same block)}}
    %1 = arith.addi %k, %k : index
  }
  return
}
