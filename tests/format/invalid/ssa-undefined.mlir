// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{use of undeclared SSA value name}}
"d.use"(%0) : (i32) -> ()

// -----

func.func @f() {
// expected-error @+1 {{use of undeclared SSA value name}}
  %0 = arith.addi %a, %a : i32
  return
}

// -----

func.func @f() -> i32 {
// expected-error @+1 {{use of undeclared SSA value name}}
  return %x : i32
}

// -----

// What a region of an operation defines is not visible to the operation.
func.func @f() {
// expected-error @+1 {{use of undeclared SSA value name}}
  scf.if %c {
    %c = "d.def"() : () -> i1
  }
  return
}

// -----

"d.op"() ({
  %0 = "d.def"() : () -> i32
}) : () -> ()
// expected-error @+1 {{use of undeclared SSA value name}}
"d.use"(%0) : (i32) -> ()

// -----

"d.op"() ({
^bb0(%a: i32):
}, {
// expected-error @+1 {{use of undeclared SSA value name}}
  "d.use"(%a) : (i32) -> ()
}) : () -> ()

// -----

%0:2 = "d.def"() : () -> (i32, i32)
// expected-error @+1 {{reference to invalid result number}}
"d.use"(%0#2) : (i32) -> ()

// -----

// expected-error @+1 {{use of undeclared SSA value name}}
"d.use"(%0#1) : (i32) -> ()
%0 = "d.def"() : () -> i32
