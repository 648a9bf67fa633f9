// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{expected ':'}}
"d.op"() {a = dense<1>} : () -> ()

// -----

// expected-error @+1 {{elements literal must be a shaped type}}
"d.op"() {a = dense<1> : i32} : () -> ()

// -----

// expected-error @+1 {{inferred shape of elements literal ([2]) does not match type ([3])}}
"d.op"() {a = dense<[1, 2]> : tensor<3xi32>} : () -> ()

// -----

// expected-error @+1 {{tensor literal is invalid; ranks are not consistent between elements}}
"d.op"() {a = dense<[[1, 2], [3]]> : tensor<2x2xi32>} : () -> ()

// -----

// expected-error @+1 {{tensor literal is invalid; ranks are not consistent between elements}}
"d.op"() {a = dense<[[1], 2]> : tensor<2x1xi32>} : () -> ()

// -----

// expected-error @+1 {{inferred shape of elements literal ([1]) does not match type ([])}}
"d.op"() {a = dense<[1]> : tensor<i32>} : () -> ()

// -----

// expected-error @+1 {{elements literal type must have static shape}}
"d.op"() {a = dense<1> : tensor<?xi32>} : () -> ()

// -----

// expected-error @+1 {{elements literal type must have static shape}}
"d.op"() {a = dense<1> : tensor<*xi32>} : () -> ()

// -----

// expected-error @+1 {{expected integer elements, but parsed floating-point}}
"d.op"() {a = dense<1.0> : tensor<2xi32>} : () -> ()

// -----

// expected-error @+2 {{unexpected decimal integer literal for a floating point value}}
// expected-note @+1 {{add a trailing dot to make the literal a float}}
"d.op"() {a = dense<1> : tensor<2xf32>} : () -> ()

// -----

// expected-error @+1 {{integer constant out of range for type}}
"d.op"() {a = dense<256> : tensor<2xi8>} : () -> ()

// -----

// expected-error @+1 {{expected unsigned integer elements, but parsed negative value}}
"d.op"() {a = dense<-1> : tensor<2xui8>} : () -> ()

// -----

// expected-error @+1 {{expected i1 type for 'true' or 'false' values}}
"d.op"() {a = dense<true> : tensor<2xi8>} : () -> ()

// -----

// expected-error @+1 {{expected floating point literal}}
"d.op"() {a = dense<true> : tensor<2xf32>} : () -> ()

// -----

// expected-error @+1 {{elements hex data size is invalid for provided type: 'tensor<3xi8>'}}
"d.op"() {a = dense<"0x0102"> : tensor<3xi8>} : () -> ()

// -----

// expected-error @+1 {{expected string containing hex digits starting with `0x`}}
"d.op"() {a = dense<"0x1"> : tensor<1xi8>} : () -> ()

// -----

// expected-error @+1 {{expected string containing hex digits starting with `0x`}}
"d.op"() {a = dense<"0xZZ"> : tensor<1xi8>} : () -> ()

// -----

// expected-error @+1 {{expected string containing hex digits starting with `0x`}}
"d.op"() {a = dense<"abc"> : tensor<1xi8>} : () -> ()

// -----

// expected-error @+1 {{expected ',' between complex elements}}
"d.op"() {a = dense<(1.0)> : tensor<2xcomplex<f32>>} : () -> ()

// -----

// expected-error @+1 {{parsed 1 elements, but type ('complex<f32>') expected 2 elements}}
"d.op"() {a = dense<1.0> : tensor<2xcomplex<f32>>} : () -> ()

// -----

// expected-error @+1 {{parsed zero elements, but type ('tensor<2xi32>') expected at least 1}}
"d.op"() {a = dense<> : tensor<2xi32>} : () -> ()

// -----

// expected-error @+1 {{expected ']'}}
"d.op"() {a = dense<[1, 2> : tensor<2xi32>} : () -> ()

// -----

// expected-error @+1 {{expected element literal of primitive type}}
"d.op"() {a = dense<[x]> : tensor<1xi32>} : () -> ()
