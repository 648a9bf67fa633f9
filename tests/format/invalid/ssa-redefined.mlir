// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-note @+1 {{previously defined here}}
%0 = "d.def"() : () -> i32
// expected-error @+1 {{redefinition of SSA value '%0'}}
%0 = "d.def"() : () -> i32

// -----

// expected-error @+2 {{redefinition of SSA value '%a'}}
// expected-note @+1 {{previously defined here}}
%a, %a = "d.def"() : () -> (i32, i32)

// -----

// expected-error @+2 {{region entry argument '%a' is already in use}}
// expected-note @+1 {{previously referenced here}}
func.func @f(%a: i32, %a: i32) { return }

// -----

// expected-note @+1 {{previously defined here}}
func.func @f(%a: i32) {
// expected-error @+1 {{redefinition of SSA value '%a'}}
  %a = arith.constant 1 : i32
  return
}

// -----

"d.op"() ({
// expected-error @+2 {{redefinition of SSA value '%a'}}
// expected-note @+1 {{previously defined here}}
^bb0(%a: i32, %a: i32):
}) : () -> ()

// -----

// expected-note @+1 {{previously defined here}}
%x = "d.def"() : () -> i32
"d.op"() ({
// expected-error @+1 {{redefinition of SSA value '%x'}}
  %x = "d.def"() : () -> i32
}) : () -> ()

// -----

// An isolated region may not reuse an outer name either.
// expected-note @+1 {{previously referenced here}}
%x = "d.def"() : () -> i32
// expected-error @+1 {{region entry argument '%x' is already in use}}
func.func @f(%x: i32) { return }

// -----

// expected-note @+1 {{previously referenced here}}
func.func @f(%i: index) {
// expected-error @+1 {{region entry argument '%i' is already in use}}
  scf.for %i = %i to %i step %i {}
  return
}
