// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{expected '"' in string literal}}
"d.op"() {a = "unterminated} : () -> ()

// -----

// expected-error @+1 {{expected '"' in string literal}}
"d.op"() {a = "two
lines"} : () -> ()

// -----

// expected-error @+1 {{unknown escape in string literal}}
"d.op"() {a = "\q"} : () -> ()

// -----

// expected-error @+1 {{unknown escape in string literal}}
"d.op"() {a = "\4"} : () -> ()

// -----

// expected-error @+1 {{unknown escape in string literal}}
"d.op"() {a = "\G0"} : () -> ()

// -----

// expected-error @+1 {{unexpected character}}
"d.op"() {a = 'x'} : () -> ()
