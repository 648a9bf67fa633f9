// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{@ identifier expected to start with letter or '_'}}
"d.op"() {a = @} : () -> ()

// -----

// expected-error @+1 {{@ identifier expected to start with letter or '_'}}
"d.op"() {a = @1} : () -> ()

// -----

// expected-error @+1 {{expected nested symbol reference identifier}}
"d.op"() {a = @x::} : () -> ()

// -----

// expected-error @+1 {{expected nested symbol reference identifier}}
"d.op"() {a = @x::y} : () -> ()

// -----

// expected-error @+1 {{expected '"' in string literal}}
"d.op"() {a = @"x} : () -> ()
