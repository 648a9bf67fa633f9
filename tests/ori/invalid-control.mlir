// Verifier errors of functions, memory symbols and branches.
//
// RUN: orison-opt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{invalid target 'volta': expected 'sm_', a number and an optional letter}}
ori.func @f() target "volta"

// -----

// expected-error @+1 {{invalid target 'sm_': expected 'sm_', a number and an optional letter}}
ori.func @f() target "sm_"

// -----

// expected-error @+1 {{expected 'target'}}
ori.func @f() "sm_80"

// -----

// expected-error @+1 {{requires register types for arguments and results}}
ori.func @f(i32) target "sm_80"

// -----

// expected-error @+1 {{is a kernel: its parameters are in a constant bank, not in registers}}
ori.func kernel @f(!ori.r) target "sm_80"

// -----

// expected-error @+1 {{expected argument names in a function with a body}}
ori.func @f(!ori.r) target "sm_80" { ori.exit }

// -----

// expected-error @+1 {{attribute 'max_threads' must have one to three positive integers}}
ori.func kernel @f() target "sm_80" attributes {max_threads = array<i32: 0>}

// -----

// expected-error @+1 {{parameter #0 requires a name, an offset, a size and an alignment}}
ori.func kernel @f() target "sm_80" attributes {parameters = [{name = "n"}]}

// -----

// expected-error @+1 {{parameter #1 overlaps the previous parameter or is misaligned}}
ori.func kernel @f() target "sm_80" attributes {parameters = [
  {name = "a", offset = 0 : i32, size = 4 : i32, alignment = 4 : i32},
  {name = "b", offset = 4 : i32, size = 8 : i32, alignment = 8 : i32}]}

// -----

// expected-error @+1 {{entry block arguments must match the function type}}
"ori.func"() <{sym_name = "f", function_type = () -> (), target = "sm_80"}> ({
^entry(%a: !ori.r):
  ori.exit
}) : () -> ()

// -----

// expected-error @+1 {{alignment must be a power of two, but is 12}}
ori.memory shared @m, size 4, align 12

// -----

// expected-error @+1 {{has a negative size}}
ori.memory shared @m, size -4, align 4

// -----

// expected-error @+1 {{attribute 'initial' has more bytes than the size}}
ori.memory global @m, size 1, align 1 {initial = array<i8: 1, 2>}

// -----

// expected-error @+1 {{attribute 'initial' must be an array of i8}}
ori.memory global @m, size 1, align 1 {initial = 3 : i32}

// -----

// expected-error @+1 {{'addresses' requires 'initial'}}
ori.memory global @m, size 8, align 8 {addresses = []}

// -----

// expected-error @+1 {{address #0 requires an offset, a number of bytes and a symbol}}
ori.memory global @m, size 1, align 1 {initial = array<i8: 1>, addresses = [{offset = 0 : i64, symbol = @m}]}

// -----

// expected-error @+1 {{address #0 must be 1 to 8 bytes within 'initial'}}
ori.memory global @m, size 4, align 4 {initial = array<i8: 0, 0, 0, 0>, addresses = [{offset = 0 : i64, bytes = 8 : i64, symbol = @m}]}

// -----

// expected-error @+1 {{symbol 'nowhere' is not an 'ori.memory' or 'ori.func'}}
ori.memory global @m, size 1, align 1 {initial = array<i8: 0>, addresses = [{offset = 0 : i64, bytes = 1 : i64, symbol = @nowhere}]}

// -----

// expected-error @+1 {{expected a memory space, one of 'global'}}
ori.memory attic @m, size 1, align 1

// -----

ori.func @f(%a: !ori.r) -> !ori.r target "sm_80" {
  // expected-error @+1 {{operand types must match the 1 results of the function}}
  ori.ret
}

// -----

ori.func @f(%a: !ori.r) target "sm_80" {
  // expected-error @+1 {{callee 'g' is not an 'ori.func'}}
  ori.call @g(%a) : (!ori.r) -> ()
  ori.ret
}

// -----

ori.func @f(%a: !ori.r) target "sm_80" {
  // expected-error @+1 {{operand and result types do not match callee 'f' of type (!ori.r) -> ()}}
  ori.call @f() : () -> ()
  ori.ret
}

// -----

ori.func @f(%a: !ori.r) target "sm_80" {
  // expected-error @+1 {{passes 0 arguments to a block that expects 1}}
  ori.bra ^next
^next(%b: !ori.r):
  ori.ret
}

// -----

ori.func @f(%a: !ori.r, %p: !ori.p) target "sm_80" {
  // expected-error @+1 {{the type of argument #0 does not match the target block}}
  ori.cond_bra %p, ^next(%p : !ori.p), ^next(%a : !ori.r) : !ori.p
^next(%b: !ori.r):
  ori.ret
}

// -----

ori.func @f(%a: !ori.r) target "sm_80" {
  // expected-error @+1 {{requires at least one target}}
  ori.brx %a, [] : !ori.r
}

// -----

ori.func @f(%a: !ori.r) target "sm_80" {
  // expected-error @+1 {{attribute 'argument_counts' must have one entry per target}}
  "ori.brx"(%a) [^next] <{argument_counts = array<i32: 1>}> : (!ori.r) -> ()
^next:
  ori.ret
}

// -----

ori.func @f(%a: !ori.r) target "sm_80" {
  // expected-error @+1 {{expected 'uniform'}}
  ori.bra <divergent> ^next
^next:
  ori.ret
}
