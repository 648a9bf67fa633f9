// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-note @+1 {{see existing symbol definition here}}
"d.op"() {sym_name = "x"} : () -> ()
// expected-error @+1 {{redefinition of symbol named 'x'}}
func.func private @x()
func.func private @x()

// -----

// expected-error @+1 {{custom op 'func.func' 'sym_visibility' is an inferred attribute and}}
func.func @f() attributes {sym_visibility = "odd"} { return }

// -----

// expected-error @+1 {{'func.func' op visibility expected to be one of ["public", "private",}}
"func.func"() <{sym_name = "f", sym_visibility = "odd", function_type = () -> ()}> ({}) : () -> ()

// -----

// expected-error @+1 {{invalid properties {function_type = () -> (), sym_name = "f",}}
"func.func"() <{sym_name = "f", sym_visibility = 1, function_type = () -> ()}> ({}) : () -> ()

// -----

func.func @outer() {
  // expected-error @+1 {{'func.func' op symbol's parent must have the SymbolTable trait}}
  func.func @inner() {
    return
  }
  return
}
