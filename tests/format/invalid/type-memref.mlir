// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{invalid memref element type}}
"d.op"() {t = memref<4xtensor<2xi32>>} : () -> ()

// -----

// expected-error @+1 {{invalid memref element type}}
"d.op"() {t = memref<4x() -> ()>} : () -> ()

// -----

// A layout of a different rank.
// expected-error @+1 {{memref layout mismatch between rank and affine map: 1 != 2}}
"d.op"() {t = memref<4xi32, affine_map<(i, j) -> (i, j)>>} : () -> ()

// -----

// expected-error @+1 {{expected the number of strides to match the rank}}
"d.op"() {t = memref<4x4xi32, strided<[1]>>} : () -> ()

// -----

// expected-error @+1 {{multiple memory spaces specified in memref type}}
"d.op"() {t = memref<4xi32, 1, 2>} : () -> ()

// -----

// expected-error @+1 {{expected memory space to be last in memref type}}
"d.op"() {t = memref<4xi32, 1, strided<[1]>>} : () -> ()

// -----

// expected-error @+1 {{cannot have affine map for unranked memref type}}
"d.op"() {t = memref<*xi32, strided<[1]>>} : () -> ()

// -----

// Invalid memory spaces: a symbol, an array.
// expected-error @+1 {{unsupported memory space Attribute}}
"d.op"() {t = memref<4xi32, @x>} : () -> ()

// -----

// expected-error @+1 {{unsupported memory space Attribute}}
"d.op"() {t = memref<4xi32, [1]>} : () -> ()

// -----

// expected-error @+1 {{expected a 64-bit signed integer or '?'}}
"d.op"() {t = memref<4xi32, strided<[1, offset: 2>>} : () -> ()

// -----

// expected-error @+1 {{expected a 64-bit signed integer or '?'}}
"d.op"() {t = memref<4xi32, strided<[a]>>} : () -> ()

// -----

// expected-error @+1 {{expected non-function type}}
"d.op"() {t = memref<[4]xi32>} : () -> ()

// -----

// expected-error @+1 {{expected list element}}
"d.op"() {t = memref<4xi32,>} : () -> ()

// -----

// expected-error @+1 {{invalid memref element type}}
"d.op"() {t = memref<4xnone>} : () -> ()
