// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{expected '(' to start operand list}}
"d.op" : () -> ()

// -----

// expected-error @+1 {{expected ')' to end operand list}}
"d.op"( : () -> ()

// -----

// expected-error @+1 {{expected '{' to begin a region}}
"d.op"() () -> ()

// -----

// expected-error @+1 {{expected '->' in function type}}
"d.op"() : ()

// -----

// expected-error @+1 {{expected non-function type}}
"d.op"() :

// -----

// expected-error @+1 {{expected function type}}
"d.op"() : i32

// -----

// expected-error @+1 {{expected ':' followed by operation type}}
"d.op"()

// -----

// expected-error @+1 {{empty operation name is invalid}}
""() : () -> ()

// -----

// expected-error @+1 {{expected operation name in quotes}}
"d.op"() : () -> () }

// -----

// expected-error @+1 {{expected operation name in quotes}}
)

// -----

// expected-error @+1 {{expected operation name in quotes}}
module {

// -----

// expected-error @+2 {{Dialect `d' not found for custom op 'd.op'}}
// expected-note @+1 {{Available dialects: }}
d.op

// -----

// expected-error @+1 {{custom op 'unknown' is unknown (tried 'builtin.unknown' as well)}}
unknown

// -----

// expected-error @+1 {{expected '=' after SSA name}}
%0 "d.op"() : () -> i32

// -----

// expected-error @+1 {{expected operation name in quotes}}
%0 = 

// -----

// expected-error @+1 {{expected operation name in quotes}}
%0 = %1

// -----

// expected-error @+1 {{invalid SSA name}}
% = "d.op"() : () -> i32

// -----

// expected-error @+1 {{expected ':' followed by operation type}}
"d.op"() {a = 1} {b = 2} : () -> ()

// -----

// expected-error @+1 {{expected '>' to close properties}}
"d.op"() <{a = 1} : () -> ()

// -----

// expected-error @+1 {{expected attribute value}}
"d.op"() <> : () -> ()

// -----

// expected-error @+1 {{expected list element}}
"d.op"() [] : () -> ()

// -----

// expected-error @+1 {{expected ')' to end region list}}
"d.op"() ({} : () -> ()

// -----

// expected-error @+1 {{expected '{' to begin a region}}
"d.op"() ({},) : () -> ()

// -----

// expected-error @+1 {{expected '{' to begin a region}}
"d.op"() () : () -> ()

// -----

// expected-error @+1 {{expected operation name in quotes}}
/ "d.op"() : () -> ()

// -----

// expected-error @+1 {{expected operation name in quotes}}
"d.op"() : () -> () ?

// -----

// expected-error @+1 {{expected operation name in quotes}}
"d.op"() : () -> (), "d.op"() : () -> ()

// -----

// expected-error @+1 {{null character not allowed in operation name}}
"d\00op"() : () -> ()

// -----

// expected-error @+1 {{unregistered operation 'builtin.nothing' found in dialect ('builtin') that does not allow unknown operations}}
"builtin.nothing"() : () -> ()

// -----

func.func @f() {
  // expected-error @+1 {{invalid properties {a = 1 : i64} for op func.return: this operation does not support properties}}
  "func.return"() <{a = 1}> : () -> ()
}
