// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{integer constant out of range for attribute}}
"d.op"() {a = 256 : i8} : () -> ()

// -----

// expected-error @+1 {{integer constant out of range for attribute}}
"d.op"() {a = -129 : i8} : () -> ()

// -----

// expected-error @+1 {{negative integer literal not valid for unsigned integer type}}
"d.op"() {a = -1 : ui8} : () -> ()

// -----

// expected-error @+1 {{integer constant out of range for attribute}}
"d.op"() {a = 256 : ui8} : () -> ()

// -----

// expected-error @+1 {{integer constant out of range for attribute}}
"d.op"() {a = 128 : si8} : () -> ()

// -----

// expected-error @+1 {{integer constant out of range for attribute}}
"d.op"() {a = 2 : i1} : () -> ()

// -----

// expected-error @+1 {{integer constant out of range for attribute}}
"d.op"() {a = 18446744073709551616} : () -> ()

// -----

// expected-error @+1 {{integer constant out of range for attribute}}
"d.op"() {a = -9223372036854775809} : () -> ()

// -----

// expected-error @+2 {{unexpected decimal integer literal for a floating point value}}
// expected-note @+1 {{add a trailing dot to make the literal a float}}
"d.op"() {a = 1 : f32} : () -> ()

// -----

// expected-error @+1 {{floating point value not valid for specified type}}
"d.op"() {a = 1.0 : i32} : () -> ()

// -----

// expected-error @+1 {{floating point value not valid for specified type}}
"d.op"() {a = 1.0 : index} : () -> ()

// -----

// expected-error @+1 {{integer literal not valid for specified type}}
"d.op"() {a = 1 : tensor<2xi32>} : () -> ()

// -----

// expected-error @+1 {{hexadecimal float constant out of range for type}}
"d.op"() {a = 0x1FFFFFFFF : f32} : () -> ()

// -----

// expected-error @+1 {{hexadecimal float literal should not have a leading minus}}
"d.op"() {a = -0x7F800000 : f32} : () -> ()

// -----

// expected-error @+1 {{expected constant integer or floating point value}}
"d.op"() {a = - : i32} : () -> ()

// -----

// expected-error @+1 {{expected constant integer or floating point value}}
"d.op"() {a = --1} : () -> ()

// -----

// expected-error @+1 {{expected '}' in attribute dictionary}}
"d.op"() {a = 1e10} : () -> ()

// -----

// expected-error @+1 {{expected three consecutive dots for an ellipsis}}
"d.op"() {a = .5} : () -> ()

// -----

// expected-error @+1 {{expected non-function type}}
"d.op"() {a = 1 :} : () -> ()

// -----

// expected-error @+1 {{expected '}' in attribute dictionary}}
"d.op"() {a = true : i32} : () -> ()

// -----

// expected-error @+1 {{expected constant integer or floating point value}}
"d.op"() {a = -true} : () -> ()

// -----

// expected-error @+1 {{integer literal not valid for specified type}}
"d.op"() {a = 1 : none} : () -> ()

// -----

// The error is located after the number.
"d.op"() {a = 1.0
  : i32
  // expected-error @+1 {{floating point value not valid for specified type}}
  } : () -> ()
