// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// No registered operation has such a custom form.
// expected-error @+1 {{custom op 'arith.nothing' is unknown}}
arith.nothing %0 : i32

// -----

// expected-error @+1 {{custom op 'func.nothing' is unknown}}
func.nothing @f()

// -----

// expected-error @+2 {{Dialect `d' not found for custom op 'd.custom'}}
// expected-note @+1 {{Available dialects: }}
%0 = d.custom %1 : i32

// -----

// expected-error @+1 {{custom op 'nodialect' is unknown (tried 'builtin.nodialect' as well)}}
nodialect @f

// -----

// expected-error @+1 {{unregistered operation 'arith.nothing' found in dialect ('arith') that}}
"arith.nothing"() : () -> ()

// -----

// expected-error @+1 {{unregistered operation 'scf.nothing' found in dialect ('scf') that does}}
"scf.nothing"() : () -> ()

// -----

// expected-error @+1 {{unregistered operation 'builtin.nothing' found in dialect ('builtin')}}
"builtin.nothing"() : () -> ()

// -----

func.func @f() {
  // expected-error @+1 {{custom op 'arith.' is unknown (tried 'func.arith.' as well)}}
  arith.
}
