// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

%0 = unrealized_conversion_cast
// expected-error @+2 {{custom op 'builtin.unrealized_conversion_cast' expected 'to'}}

// -----

// expected-note @+1 {{prior use here}}
%0 = "d.def"() : () -> i32
// expected-error @+1 {{use of value '%0' expects different type than prior uses: 'i64' vs 'i32'}}
%1 = unrealized_conversion_cast %0 : i64 to i32

// -----

%0 = "d.def"() : () -> i32
// expected-error @+1 {{expected non-function type}}
unrealized_conversion_cast %0 : i32 to

// -----

%0 = "d.def"() : () -> i32
// expected-error @+1 {{'builtin.unrealized_conversion_cast' op expected at least one result}}
"builtin.unrealized_conversion_cast"(%0) : (i32) -> ()

// -----

%0 = "d.def"() : () -> i32
// expected-error @+1 {{custom op 'builtin.unrealized_conversion_cast' number of operands and}}
%1 = unrealized_conversion_cast %0, %0 : i32 to i64
