// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{expected '['}}
"d.op"() {a = strided<1>} : () -> ()

// -----

// expected-error @+1 {{expected 'offset' after comma}}
"d.op"() {a = strided<[1], 2>} : () -> ()

// -----

// expected-error @+1 {{expected ':' after 'offset'}}
"d.op"() {a = strided<[1], offset 2>} : () -> ()

// -----

// expected-error @+1 {{expected '[' after 'distinct'}}
"d.op"() {a = distinct<1>} : () -> ()

// -----

// expected-error @+1 {{expected distinct ID}}
"d.op"() {a = distinct[x]<1>} : () -> ()

// -----

// expected-error @+1 {{expected '<' after distinct ID}}
"d.op"() {a = distinct[0]} : () -> ()

// -----

// One distinct ID, two values.
// expected-error @+1 {{referenced attribute does not match previous definition: 1 : i64}}
"d.op"() {a = distinct[0]<1>, b = distinct[0]<2>} : () -> ()

// -----

// expected-error @+1 {{expected ':'}}
"d.op"() {a = dense_resource<x>} : () -> ()

// -----

// expected-error @+1 {{`dense_resource` expected a shaped type}}
"d.op"() {a = dense_resource<x> : i32} : () -> ()

// -----

// expected-error @+1 {{expected identifier key for 'resource' entry}}
"d.op"() {a = dense_resource<> : tensor<1xi8>} : () -> ()

// -----

// expected-error @+1 {{undefined symbol alias id 'undefined'}}
"d.op"() {a = #undefined} : () -> ()

// -----

// expected-error @+1 {{unbalanced '<' character in pretty dialect name}}
"d.op"() {a = #d.x<} : () -> ()

// -----

// expected-error @+1 {{expected attribute value}}
"d.op"() {a = nothing} : () -> ()

// -----

// expected-error @+1 {{expected attribute value}}
"d.op"() {a = } : () -> ()

// -----

// expected-error @+1 {{expected attribute value}}
"d.op"() {a = opaque<"a", "b">} : () -> ()

// -----

// expected-error @+1 {{referenced attribute does not match previous definition: 1 : i64}}
"d.op"() {a = distinct[0]<1 : i64>, b = distinct[
  0]<2 : i64>} : () -> ()
