// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{'func.func' op symbol declaration cannot have public visibility}}
func.func @f()

// -----

// expected-error @+1 {{custom op 'func.func' expected valid '@'-identifier for symbol name}}
func.func f() { return }

// -----

// expected-error @+1 {{expected '('}}
func.func @f { return }

// -----

// expected-error @+1 {{expected ':'}}
func.func @f(%a i32) { return }

// -----

// expected-error @+1 {{'func.func' op entry block must have 1 arguments to match function}}
func.func @f(i32) { return }

// -----

// expected-error @+1 {{custom op 'func.func' expected SSA identifier}}
func.func @f(%a: i32, i32) { return }

// -----

// expected-error @+1 {{expected non-function type}}
func.func @f() -> { return }

// -----

// expected-error @+1 {{expected attribute value}}
func.func @f(%a: i32 {d.x = }) { return }

// -----

// expected-error @+1 {{'func.func' op arguments may only have dialect attributes}}
func.func @f(%a: i32 {x = 1}) { return }

// -----

// expected-error @+1 {{'func.func' op results may only have dialect attributes}}
func.func @f() -> (i32 {x = 1}) { return }

// -----

// expected-error @+1 {{custom op 'func.func' expected valid '@'-identifier for symbol name}}
func.func hidden @f() { return }

// -----

// expected-error @+1 {{custom op 'func.func' 'sym_name' is an inferred attribute and should}}
func.func @f() attributes {sym_name = "g"} { return }

// -----

// expected-error @+1 {{custom op 'func.func' 'function_type' is an inferred attribute and}}
func.func @f() attributes {function_type = i32} { return }

// -----

// expected-error @+1 {{expected operation name in quotes}}
func.func @f() { return

// -----

// expected-error @+1 {{expected operation name in quotes}}
func.func @f() { return } { return }

// -----

// expected-error @+1 {{'func.func' op symbol declaration cannot have public visibility}}
func.func public @f()

// -----

// expected-error @+1 {{'func.func' op requires attribute 'sym_name'}}
"func.func"() <{function_type = () -> ()}> ({}) : () -> ()

// -----

// expected-error @+1 {{'func.func' op requires attribute 'function_type'}}
"func.func"() <{sym_name = "f"}> ({}) : () -> ()

// -----

// expected-error @+1 {{'func.func' op attribute 'function_type' failed to satisfy constraint:}}
"func.func"() <{sym_name = "f", function_type = i32}> ({}) : () -> ()

// -----

// expected-error @+1 {{'func.func' op entry block must have 1 arguments to match function}}
"func.func"() <{sym_name = "f", function_type = (i32) -> ()}> ({
  "func.return"() : () -> ()
}) : () -> ()

// -----

// expected-error @+1 {{'func.func' op type of entry block argument #0('i64') must match the}}
"func.func"() <{sym_name = "f", function_type = (i32) -> ()}> ({
^a(%x: i64):
  "func.return"() : () -> ()
}) : () -> ()

// -----

// expected-error @+1 {{'func.func' op expects argument attribute array to have the same number}}
"func.func"() <{sym_name = "f", sym_visibility = "private", function_type = (i32) -> (), arg_attrs = [{}, {}]}> ({}) : () -> ()

// -----

// expected-error @+1 {{invalid properties {function_type = () -> (), sym_name = 1 : i64} for}}
"func.func"() <{sym_name = 1, function_type = () -> ()}> ({}) : () -> ()

// -----

// expected-error @+1 {{'func.func' op symbol declaration cannot have public visibility}}
"func.func"() <{sym_name = "f", function_type = () -> (), nothing = 1}> ({}) : () -> ()

// -----

// expected-note @+1 {{see existing symbol definition here}}
func.func @f() { return }
// expected-error @+1 {{redefinition of symbol named 'f'}}
func.func @f() { return }

// -----

// expected-error @+1 {{custom op 'func.func' expected SSA identifier}}
func.func @f(%a: i32, ...) { return }
