// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{invalid element type for complex}}
"d.op"() {t = complex<index>} : () -> ()

// -----

// expected-error @+1 {{invalid element type for complex}}
"d.op"() {t = complex<complex<f32>>} : () -> ()

// -----

// expected-error @+1 {{expected '>' in complex type}}
"d.op"() {t = complex<f32} : () -> ()

// -----

// expected-error @+1 {{expected non-function type}}
"d.op"() {t = complex<>} : () -> ()

// -----

// expected-error @+1 {{expected non-function type}}
"d.op"() {t = tuple<i32,>} : () -> ()

// -----

// expected-error @+1 {{expected '>' in tuple type}}
"d.op"() {t = tuple<i32 f32>} : () -> ()

// -----

// expected-error @+1 {{expected ')'}}
"d.op"() {t = (i32) -> (f32} : () -> ()

// -----

// expected-error @+1 {{expected '->' in function type}}
"d.op"() {t = (i32)} : () -> ()

// -----

// expected-error @+1 {{expected non-function type}}
"d.op"() {t = (i32,) -> ()} : () -> ()

// -----

// expected-error @+1 {{expected '}' in attribute dictionary}}
"d.op"() {t = () -> i32 -> i32} : () -> ()
