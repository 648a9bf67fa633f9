// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{vector types must have positive constant sizes but got 0}}
"d.op"() {t = vector<0xi32>} : () -> ()

// -----

// expected-error @+1 {{expected non-function type}}
"d.op"() {t = vector<-1xi32>} : () -> ()

// -----

// expected-error @+1 {{expected non-function type}}
"d.op"() {t = vector<?xi32>} : () -> ()

// -----

// expected-error @+1 {{expected non-function type}}
"d.op"() {t = vector<*xi32>} : () -> ()

// -----

// expected-error @+1 {{failed to verify 'elementType': VectorElementTypeInterface instance}}
"d.op"() {t = vector<4xvector<2xi32>>} : () -> ()

// -----

// expected-error @+1 {{failed to verify 'elementType': VectorElementTypeInterface instance}}
"d.op"() {t = vector<4xtensor<2xi32>>} : () -> ()

// -----

// expected-error @+1 {{failed to verify 'elementType': VectorElementTypeInterface instance}}
"d.op"() {t = vector<4x!d.t>} : () -> ()

// -----

// expected-error @+1 {{missing ']' closing scalable dimension}}
"d.op"() {t = vector<[4xi32>} : () -> ()

// -----

// expected-error @+1 {{invalid dimension}}
"d.op"() {t = vector<[]xi32>} : () -> ()

// -----

// expected-error @+1 {{expected '>' in vector type}}
"d.op"() {t = vector<4 x i32} : () -> ()

// -----

// expected-error @+1 {{expected 'x' in dimension list}}
"d.op"() {t = vector<4>} : () -> ()

// -----

// expected-error @+1 {{expected '<' in vector type}}
"d.op"() {t = vector 4xi32>} : () -> ()

// -----

// expected-error @+1 {{expected '>' in vector type}}
"d.op"() {t = vector<4xi32, 1>} : () -> ()

// -----

// expected-error @+1 {{vector types must have positive constant sizes but got 4, 0}}
"d.op"() {t = vector<4x[0]xi32>} : () -> ()

// -----

// expected-error @+1 {{failed to verify 'elementType': VectorElementTypeInterface instance}}
"d.op"() {t = vector<none>} : () -> ()
