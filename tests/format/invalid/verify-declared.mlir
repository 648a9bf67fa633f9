// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// One program for each rule that follows from declarations (counts, segments, symbols), for calls and for dominance.

func.func @f(%a: i32) {
  // expected-error @+1 {{'arith.constant' op requires zero operands}}
  "arith.constant"(%a) <{value = 1 : i32}> : (i32) -> i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'arith.negf' op requires a single operand}}
  "arith.negf"() : () -> f32
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
  // expected-error @+1 {{'arith.mulsi_extended' op expected 2 results}}
  "arith.mulsi_extended"(%a, %a) : (i32, i32) -> i32
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error @+1 {{'cf.assert' op requires zero results}}
  %0 = "cf.assert"(%c) <{msg = "x"}> : (i1) -> i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'arith.addi' op requires zero regions}}
  %0 = "arith.addi"(%a, %a) ({
  }) : (i32, i32) -> i32
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'scf.execute_region' op requires one region}}
  "scf.execute_region"() : () -> ()
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error @+1 {{'cf.cond_br' op 'operandSegmentSizes' attribute cannot have negative elements}}
  "cf.cond_br"(%c)[^a, ^a] <{operandSegmentSizes = array<i32: 2, 0, -1>}> : (i1) -> ()
^a:
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'cf.switch' op caseOperands count (1) does not match with the total size (0) specified in attribute 'case_operand_segments'}}
  "cf.switch"(%a, %a)[^b] <{case_operand_segments = array<i32>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i32) -> ()
^b:
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'cf.switch' op number of case values (1) should match number of case destinations (0)}}
  "cf.switch"(%a)[^b] <{case_operand_segments = array<i32>, case_values = dense<1> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^b:
  return
}

// -----

func.func @f(%a: i32, %b: i64) {
  // expected-error @+1 {{'arith.maxsi' op requires the same type for all operands and results}}
  %0 = "arith.maxsi"(%a, %b) : (i32, i64) -> i32
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'func.func' op symbol's parent must have the SymbolTable trait}}
  "func.func"() <{sym_name = "g", function_type = () -> ()}> ({
    func.return
  }) : () -> ()
  return
}

// -----

// expected-error @+1 {{'func.func' op expects result attribute array to have the same number of elements as the number of function results, got 1, but expected 0}}
"func.func"() <{sym_name = "g", function_type = () -> (), res_attrs = [{}]}> ({
  func.return
}) : () -> ()

// -----

// expected-error @+1 {{'func.func' op visibility expected to be one of ["public", "private", "nested"], but got "odd"}}
"func.func"() <{sym_name = "g", sym_visibility = "odd", function_type = () -> ()}> ({
  func.return
}) : () -> ()

// -----

// expected-error @+1 {{'builtin.module' op visibility expected to be one of ["public", "private", "nested"], but got "odd"}}
"builtin.module"() <{sym_name = "g", sym_visibility = "odd"}> ({
^a:
}) : () -> ()

// -----

func.func @g(%x: i32)  { return }
func.func @f(%a: i64) {
  // expected-error @+1 {{'func.call' op operand type mismatch: expected operand type 'i32', but provided 'i64' for operand number 0}}
  "func.call"(%a) <{callee = @g}> : (i64) -> ()
  return
}

// -----

// expected-error @+1 {{'func.func' op symbol declaration cannot have public visibility}}
func.func @g() -> i32
func.func @f(%a: i64) {
  "func.call"() <{callee = @g}> : () -> i64
  return
}

// -----

func.func private @g() -> i32
func.func @f(%a: i64) {
  // expected-error @+1 {{'func.call' op incorrect number of results for callee}}
  "func.call"() <{callee = @g}> : () -> ()
  return
}

// -----

func.func @f(%c: i1) {
  // expected-note @+1 {{operand defined as a block argument (block #1 in the same region)}}
  "d.op"() ({
  ^a:
    "d.br"()[^b, ^c] : () -> ()
  ^b(%x: i32):
    "d.br"()[^c] : () -> ()
  ^c:
    // expected-error @+1 {{operand #0 does not dominate this use}}
    "d.use"(%x) : (i32) -> ()
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-note @+1 {{operand defined here (op in a parent region)}}
  %y = "d.def"() ({
    // expected-error @+1 {{operand #0 does not dominate this use}}
    "d.use"(%y) : (i32) -> ()
  }) : () -> i32
  return
}
