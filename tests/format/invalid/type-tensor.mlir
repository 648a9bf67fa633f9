// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{invalid tensor element type}}
"d.op"() {t = tensor<4xtensor<2xi32>>} : () -> ()

// -----

// expected-error @+1 {{invalid tensor element type}}
"d.op"() {t = tensor<4xmemref<2xi32>>} : () -> ()

// -----

// expected-error @+1 {{invalid tensor element type}}
"d.op"() {t = tensor<4x() -> ()>} : () -> ()

// -----

// expected-error @+1 {{expected non-function type}}
"d.op"() {t = tensor<-4xi32>} : () -> ()

// -----

// expected-error @+1 {{expected 'x' in dimension list}}
"d.op"() {t = tensor<4x?>} : () -> ()

// -----

// expected-error @+1 {{expected 'x' in dimension list}}
"d.op"() {t = tensor<*4xi32>} : () -> ()

// -----

// expected-error @+1 {{cannot apply encoding to unranked tensor}}
"d.op"() {t = tensor<* xi32, "enc">} : () -> ()

// -----

// expected-error @+1 {{expected non-function type}}
"d.op"() {t = tensor<[4]xi32>} : () -> ()

// -----

// expected-error @+1 {{expected non-function type}}
"d.op"() {t = tensor<>} : () -> ()

// -----

// expected-error @+1 {{expected '<' in tensor type}}
"d.op"() {t = tensor} : () -> ()

// -----

// expected-error @+1 {{invalid dimension}}
"d.op"() {t = tensor<99999999999999999999xi32>} : () -> ()

// -----

// expected-error @+1 {{invalid tensor element type}}
"d.op"() {t = tensor<4xtuple<i32>>} : () -> ()

// -----

// expected-error @+1 {{invalid tensor element type}}
"d.op"() {t = tensor<none>} : () -> ()

// -----

// expected-error @+1 {{expected 'x' in dimension list}}
"d.op"() {t = tensor<0x8i32>} : () -> ()
