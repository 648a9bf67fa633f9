// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// A width beyond the maximum.
// expected-error @+1 {{integer bitwidth is limited to 16777215 bits}}
"d.op"() {t = i16777216} : () -> ()

// -----

// A width that overflows.
// expected-error @+1 {{invalid integer width}}
"d.op"() {t = i99999999999999999999} : () -> ()

// -----

// Unknown type.
// expected-error @+1 {{expected non-function type}}
"d.op"() {t = (si) -> ()} : () -> ()

// -----

// expected-error @+1 {{expected non-function type}}
%0 = "d.op"() : () -> int
