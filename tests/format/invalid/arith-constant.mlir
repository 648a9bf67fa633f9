// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{expected attribute value}}
%0 = arith.constant

// -----

// expected-error @+1 {{expected attribute value}}
%0 = arith.constant : i32

// -----

// expected-error @+1 {{'arith.constant' op value must be an integer, float, or elements}}
%0 = arith.constant "x"

// -----

// expected-error @+2 {{unexpected decimal integer literal for a floating point value}}
// expected-note @+1 {{add a trailing dot to make the literal a float}}
%0 = arith.constant 1 : f32

// -----

// expected-error @+1 {{'arith.constant' op integer return type must be signless}}
%0 = arith.constant 1 : si32

// -----

// expected-error @+1 {{custom op 'arith.constant' invalid kind of attribute specified}}
%0 = arith.constant @f

// -----

// expected-error @+1 {{elements literal type must have static shape}}
%0 = arith.constant dense<1> : tensor<?xi32>

// -----

// expected-error @+1 {{custom op 'arith.constant' invalid kind of attribute specified}}
%0 = arith.constant i32

// -----

// expected-error @+1 {{'arith.constant' op requires attribute 'value'}}
%0 = "arith.constant"() : () -> i32

// -----

// expected-error @+1 {{'arith.constant' op failed to verify that all of {value, result} have}}
%0 = "arith.constant"() <{value = 1 : i32}> : () -> i64

// -----

// expected-error @+1 {{'arith.constant' op failed to verify that all of {value, result} have}}
%0 = "arith.constant"() <{value = "x"}> : () -> i32

// -----

// expected-error @+1 {{'arith.constant' op intializing scalable vectors with elements}}
%0 = arith.constant dense<[1, 2]> : vector<[2]xi32>

// -----

// expected-error @+1 {{operation defines 1 results but was provided 2 to bind}}
%0:2 = arith.constant 1 : i32
