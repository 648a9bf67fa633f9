// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Defined twice.
#a = 1
// expected-error @+1 {{redefinition of attribute alias id 'a'}}
#a = 2

// -----

!t = i32
// expected-error @+1 {{redefinition of type alias id 't'}}
!t = i64

// -----

// expected-error @+1 {{attribute names with a '.' are reserved for dialect-defined names}}
#a.b = 1

// -----

// expected-error @+1 {{type names with a '.' are reserved for dialect-defined names}}
!t.u = i32

// -----

// Used before its definition.
// expected-error @+1 {{undefined symbol alias id 'a'}}
"d.op"() {a = #a} : () -> ()
#a = 1

// -----

// expected-error @+1 {{undefined symbol alias id 't'}}
"d.op"() : () -> !t
!t = i32

// -----

// Defined in terms of itself.
// expected-error @+1 {{undefined symbol alias id 'a'}}
#a = [#a]

// -----

// expected-error @+1 {{undefined symbol alias id 't'}}
!t = tuple<!t>

// -----

// expected-error @+1 {{expected '=' in attribute alias definition}}
#a 1

// -----

// expected-error @+1 {{expected non-function type}}
!t = 1

// -----

// expected-error @+1 {{expected attribute value}}
#a = 

// -----

// An undefined location alias.
// expected-error @+1 {{operation location alias was never defined}}
"d.op"() : () -> () loc(#nowhere)
