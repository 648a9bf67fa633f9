// RUN: orison-opt --split-input-file --verify-diagnostics %s

nv_tileaa.func @operands(%x: f32) -> (f32, f32) {
  // expected-error @+1 {{has 1 operands, but enclosing function (@operands) returns 2}}
  nv_tileaa.return %x : f32
}

// -----

nv_tileaa.func @types(%x: f32) -> f16 {
  // expected-error @+1 {{type of return operand 0 ('f32') doesn't match function result type ('f16') in function @types}}
  nv_tileaa.return %x : f32
}

// -----

// expected-error @+1 {{entry block must have 1 arguments to match function signature}}
"nv_tileaa.func"() <{sym_name = "arity", function_type = (f32) -> ()}> ({
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// expected-error @+1 {{type of entry block argument #0('f16') must match the type of the corresponding argument in function signature('f32')}}
"nv_tileaa.func"() <{sym_name = "argument", function_type = (f32) -> ()}> ({
^bb0(%x: f16):
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// -----

// expected-error @+1 {{expects 'arg_attrs' to have 1 entries}}
"nv_tileaa.func"() <{sym_name = "attributes", function_type = (f32) -> (), arg_attrs = []}> ({}) : () -> ()

// -----

// expected-error @+1 {{attribute 'nv_tileaa.kernel_spec' must be a dictionary}}
nv_tileaa.func private @spec() attributes {nv_tileaa.kernel_spec = 1 : i32}

// -----

// expected-error @+1 {{attribute 'nv_tileaa.kernel_spec' must have a positive i32 as 'numWarps'}}
nv_tileaa.func private @warps() attributes {nv_tileaa.kernel_spec = {numWarps = 0 : i32}}

// -----

// expected-error @+1 {{attribute 'nv_tileaa.kernel_spec' must have one to three positive i32 as 'clusterDim'}}
nv_tileaa.func private @cluster() attributes {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 0>}}

// -----

// expected-error @+1 {{expected names for all arguments or for none}}
nv_tileaa.func @names(%x: f32, f32) {
  nv_tileaa.return
}

// -----

nv_tileaa.func @outer(%x: f32) {
  nv_tileaa.return
}
nv_tileaa.func @uses_outside() -> f32 {
  // expected-error @+1 {{use of undeclared SSA value name}}
  nv_tileaa.return %x : f32
}

// -----

module {
  // expected-error @+1 {{'nv_tileaa.return' op expects parent op 'nv_tileaa.func'}}
  nv_tileaa.return
}
