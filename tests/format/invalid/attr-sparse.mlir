// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{expected shape ([2]); inferred shape of indices literal ([1, 2]);}}
"d.op"() {a = sparse<[[0, 0]], [1]> : tensor<2xi32>} : () -> ()

// -----

// expected-error @+1 {{sparse index #0 is not contained within the value shape, with}}
"d.op"() {a = sparse<[[5]], [1]> : tensor<2xi32>} : () -> ()

// -----

// expected-error @+1 {{expected shape ([4]); inferred shape of indices literal ([2, 1]);}}
"d.op"() {a = sparse<[[0], [1]], [1, 2, 3]> : tensor<4xi32>} : () -> ()

// -----

// expected-error @+1 {{sparse index #0 is not contained within the value shape, with}}
"d.op"() {a = sparse<[[-1]], [1]> : tensor<2xi32>} : () -> ()

// -----

// expected-error @+1 {{expected ','}}
"d.op"() {a = sparse<0> : tensor<2xi32>} : () -> ()

// -----

// expected-error @+1 {{expected ':'}}
"d.op"() {a = sparse<0, 1>} : () -> ()

// -----

// expected-error @+1 {{expected integer elements, but parsed floating-point}}
"d.op"() {a = sparse<0.5, 1> : tensor<2xi32>} : () -> ()
