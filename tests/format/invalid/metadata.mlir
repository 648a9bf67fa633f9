// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

"d.op"() : () -> ()
// expected-error @+1 {{expected hex string blob for key 'x' to encode alignment in first 4}}
{-# dialect_resources: { builtin: { x: "0x" } } #-}

// -----

"d.op"() {a = dense_resource<x> : tensor<1xi8>} : () -> ()
// expected-error @+1 {{expected hex string blob for key 'x'}}
{-# dialect_resources: { builtin: { x: "abc" } } #-}

// -----

"d.op"() : () -> ()
// expected-error @+1 {{unknown key 'nothing' in file metadata dictionary}}
{-# nothing: {} #-}

// -----

"d.op"() : () -> ()
// expected-error @+1 {{expected ':'}}
{-# dialect_resources: { builtin: { x "0x0400000001" } } #-}

// -----

"d.op"() : () -> ()
// expected-error @+1 {{dialect 'd' is unknown}}
{-# dialect_resources: { d: { x: "0x0400000001" } } #-}

// -----

"d.op"() : () -> ()
// expected-error @+1 {{expected string value for key 'x'}}
{-# external_resources: { t: { x: 1 } } #-}

// -----

"d.op"() : () -> ()
// expected-error @+1 {{expected ',' or '}'}}
{-# external_resources: { t: { x: "y" }
