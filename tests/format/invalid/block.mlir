// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{reference to an undefined block}}
"d.op"()[^nowhere] : () -> ()

// -----

func.func @f() {
// expected-error @+1 {{reference to an undefined block}}
  cf.br ^nowhere
}

// -----

func.func @f() {
^a:
  return
// expected-error @+1 {{redefinition of block '^a'}}
^a:
  return
}

// -----

// expected-error @+1 {{entry block of region may not have predecessors}}
func.func @f() {
^a:
  cf.br ^a
}

// -----

// expected-error @+1 {{entry block of region may not have predecessors}}
"d.op"() ({
^a:
  "d.br"()[^a] : () -> ()
}) : () -> ()

// -----

// expected-error @+1 {{empty block: expect at least a terminator}}
"d.op"() ({
  "d.br"()[^b] : () -> ()
^b:
}) : () -> ()

// -----

"d.op"() ({
// expected-error @+1 {{expected ':' after block name}}
^a
}) : () -> ()

// -----

"d.op"() ({
// expected-error @+1 {{expected ':' and type for SSA operand}}
^a(%x):
}) : () -> ()

// -----

"d.op"() ({
// expected-error @+1 {{expected ')'}}
^a(%x: i32:
}) : () -> ()

// -----

"d.op"() ({
// expected-error @+1 {{expected ')'}}
^a(%x: i32 %y: i32):
}) : () -> ()

// -----

"d.op"() ({
// expected-error @+1 {{invalid block name}}
^:
}) : () -> ()

// -----

// expected-error @+1 {{expected operation name in quotes}}
^a:
"d.op"() : () -> ()

// -----

// A block of a different region.
"d.op"() ({
^a:
  "d.op"() ({
// expected-error @+1 {{reference to an undefined block}}
    "d.br"()[^a] : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{invalid block name in region with named arguments}}
^bb0(%b: i32):
  return
}
