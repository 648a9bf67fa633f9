// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-error @+1 {{custom op 'func.func' expected non-empty function body}}
func.func @f() {
}

// -----

func.func @f() {
// expected-error @+1 {{block with no terminator, has %0 = "arith.constant"() <{value = 1 :}}
  %0 = arith.constant 1 : i32
}

// -----

func.func @f() {
  return
// expected-error @+1 {{expected ':'}}
  %0 = arith.constant 1 : i32
}

// -----

func.func @f() {
  cf.br ^a
^a:
// expected-error @+1 {{block with no terminator, has %0 = "arith.constant"() <{value = 1 :}}
  %0 = arith.constant 1 : i32
}

// -----

func.func @f(%c: i1) {
  scf.if %c {
// expected-error @+2 {{Dialect `' not found for custom op 'return'  (tried '.return' as well)}}
// expected-note @+1 {{Available dialects: }}
    return
  }
  return
}

// -----

func.func @f() {
// expected-error @+1 {{'scf.yield' op expects parent op to be one of 'scf.execute_region,}}
  scf.yield
}

// -----

func.func @f() {
// expected-error @+1 {{'scf.execute_region' op region needs to have at least one block}}
  scf.execute_region {
  }
  return
}

// -----

func.func @f(%c: i1) {
  scf.execute_region {
    cf.br ^a
  ^a:
// expected-error @+1 {{block with no terminator, has %0 = "arith.constant"() <{value = 1 :}}
    %0 = arith.constant 1 : i32
  }
  return
}

// -----

// expected-error @+1 {{'func.return' op expects parent op 'func.func'}}
func.return

// -----

// expected-error @+1 {{'scf.yield' op expects parent op to be one of 'scf.execute_region,}}
scf.yield

// -----

func.func @f() {
// expected-error @+1 {{custom op 'module' is unknown (tried 'func.module' as well)}}
  module {
    func.return
  }
  return
}
