// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{expected '<' in affine map}}
"d.op"() {a = affine_map(i) -> (i)} : () -> ()

// -----

// expected-error @+1 {{expected '>' in affine map}}
"d.op"() {a = affine_map<(i) -> (i)} : () -> ()

// -----

// expected-error @+1 {{expected '<' in integer set}}
"d.op"() {a = affine_set(i) : (i >= 0)} : () -> ()

// -----

// expected-error @+1 {{expected '>' in integer set}}
"d.op"() {a = affine_set<(i) : (i >= 0)} : () -> ()

// -----

// expected-error @+1 {{expected IntegerSet, but got AffineMap}}
"d.op"() {a = affine_set<(i) -> (i)>} : () -> ()

// -----

// expected-error @+1 {{no expression inside parentheses}}
"d.op"() {a = affine_map<(i) -> (i + ())>} : () -> ()

// -----

// expected-error @+2 {{expected affine expression}}
// expected-error @+1 {{missing operand of negation}}
"d.op"() {a = affine_map<(i) -> (-)>} : () -> ()

// -----

// expected-error @+1 {{expected '<' after 'strided'}}
"d.op"() {a = strided[1]} : () -> ()

// -----

// expected-error @+1 {{expected ',' or '>' in memref type}}
"d.op"() {a = memref<4xf32 f32>} : () -> ()

// -----

// expected-error @+1 {{expected ']' to close distinct ID}}
"d.op"() {a = distinct[0<i32>} : () -> ()

// -----

// expected-error @+1 {{expected '>' to close distinct attribute}}
"d.op"() {a = distinct[0]<i32} : () -> ()

// -----

// expected-error @+1 {{expected '<' after 'array'}}
"d.op"() {a = array[1]} : () -> ()

// -----

// expected-error @+1 {{expected '<' after 'dense'}}
"d.op"() {a = dense(1) : tensor<i32>} : () -> ()

// -----

// expected-error @+1 {{expected '<' after 'dense_resource'}}
"d.op"() {a = dense_resource(key) : tensor<i32>} : () -> ()

// -----

// expected-error @+1 {{Expected '<' after 'sparse'}}
"d.op"() {a = sparse(0, 1) : tensor<2xi32>} : () -> ()

// -----

// expected-error @+1 {{expected ')' after complex elements}}
"d.op"() {a = dense<(1.0, 2.0> : tensor<complex<f32>>} : () -> ()

// -----

// expected-error @+1 {{expected string token, got 1}}
"d.op"() {a = dense<["a", 1]> : tensor<2x!d.string>} : () -> ()

// -----

// expected-error @+1 {{expected '(' in callsite location}}
"d.op"() : () -> () loc(callsite["a" at "b"])

// -----

// expected-error @+1 {{expected ')' in callsite location}}
"d.op"() : () -> () loc(callsite("a" at "b" "c"))

// -----

// expected-error @+1 {{expected '[' in fused location}}
"d.op"() : () -> () loc(fused("a"))

// -----

// expected-error @+1 {{expected ')' after child location of NameLoc}}
"d.op"() : () -> () loc("a"("b" "c"))

// -----

// expected-error @+1 {{expected '=' in type alias definition}}
!a i32

// -----

// expected-error @+1 {{expected '<' in complex type}}
"d.op"() {a = complex(f32)} : () -> ()

// -----

// expected-error @+1 {{expected '<' in tuple type}}
"d.op"() {a = tuple(f32)} : () -> ()

// -----

// expected-error @+1 {{expected '<' in tensor type}}
"d.op"() {a = tensor(f32)} : () -> ()

// -----

// expected-error @+1 {{expected '>' in tensor type}}
"d.op"() {a = tensor<4xf32} : () -> ()

// -----

// expected-error @+1 {{invalid tensor element type}}
"d.op"() {a = tensor<2xtensor<4xf32>>} : () -> ()

// -----

// expected-error @+1 {{expected '<' in memref type}}
"d.op"() {a = memref(f32)} : () -> ()

// -----

// expected-error @+1 {{expected '{' in attribute dictionary}}
module attributes 3 {}

// -----

// expected-error @+1 {{expected valid ssa identifier}}
%0, = "d.op"() : () -> i32

// -----

// expected-error @+1 {{expected DictionaryAttr to set properties}}
%0 = "arith.constant"() <3 : i32> : () -> i32
