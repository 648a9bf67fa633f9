// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{expected integer literal}}
"d.op"() {a = array<i32: 1.0>} : () -> ()

// -----

// expected-error @+1 {{integer constant out of range}}
"d.op"() {a = array<i8: 300>} : () -> ()

// -----

// expected-error @+1 {{element type bitwidth must be a multiple of 8}}
"d.op"() {a = array<i7: 1>} : () -> ()

// -----

// expected-error @+1 {{expected 'true' or 'false' values for i1 type}}
"d.op"() {a = array<i1: 1>} : () -> ()

// -----

// expected-error @+1 {{expected ':' after dense array type}}
"d.op"() {a = array<i32 1>} : () -> ()

// -----

// expected-error @+1 {{expected integer literal}}
"d.op"() {a = array<i32: 1,>} : () -> ()

// -----

// expected-error @+1 {{expected i1 type for 'true' or 'false' values}}
"d.op"() {a = array<i32: true>} : () -> ()

// -----

// expected-error @+2 {{unexpected decimal integer literal for a floating point value}}
// expected-note @+1 {{add a trailing dot to make the literal a float}}
"d.op"() {a = array<f32: 1>} : () -> ()

// -----

// expected-error @+1 {{expected integer or float type, got: 'tensor<2xi32>'}}
"d.op"() {a = array<tensor<2xi32>: 1>} : () -> ()

// -----

// expected-error @+2 {{expected non-function type}}
// expected-error @+1 {{expected an integer or floating point type}}
"d.op"() {a = array<>} : () -> ()

// -----

// expected-error @+1 {{expected '>' to close an array attribute}}
"d.op"() {a = array<i32: 1} : () -> ()
