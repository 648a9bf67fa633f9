// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

func.func @f(%i: index) {
// expected-error @+1 {{custom op 'scf.for' expected 'step'}}
  scf.for %k = %i to %i {}
  return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{custom op 'scf.for' expected 'to'}}
  scf.for %k = %i %i step %i {}
  return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{expected SSA operand}}
  scf.for k = %i to %i step %i {}
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @f(%i: i32) {
// expected-error @+1 {{use of value '%i' expects different type than prior uses: 'index' vs}}
  scf.for %k = %i to %i step %i {}
  return
}

// -----

func.func @f(%i: f32) {
// expected-error @+1 {{'scf.for' op operand #0 must be signless integer or index, but got 'f32'}}
  scf.for %k = %i to %i step %i : f32 {}
  return
}

// -----

func.func @f(%i: index, %a: f32) {
// expected-error @+2 {{'scf.for' op along control flow edge from Operation scf.yield to Region}}
// expected-note @+1 {{region branch point}}
  %0 = scf.for %k = %i to %i step %i iter_args(%x = %a) -> (f32) {}
  return
}

// -----

func.func @f(%i: index, %a: f32) {
// expected-error @+1 {{'scf.for' op along control flow edge from Operation scf.yield to Region}}
  %0 = scf.for %k = %i to %i step %i iter_args(%x = %a) -> (f32) {
// expected-note @+1 {{region branch point}}
    scf.yield
  }
  return
}

// -----

func.func @f(%i: index, %a: f32) {
// expected-error @+1 {{'scf.for' op 0-th region iter_arg and 0-th yielded value have different}}
  %0 = scf.for %k = %i to %i step %i iter_args(%x = %a) -> (f32) {
    scf.yield %k : index
  }
  return
}

// -----

func.func @f(%i: index, %a: f32) {
// expected-error @+1 {{custom op 'scf.for' mismatch in number of loop-carried values and}}
  %0 = scf.for %k = %i to %i step %i iter_args(%x = %a) -> (f32, f32) {
    scf.yield %x : f32
  }
  return
}

// -----

func.func @f(%i: index, %a: f32) {
// expected-error @+1 {{expected '->'}}
  %0 = scf.for %k = %i to %i step %i iter_args(%x = %a) {
    scf.yield %x : f32
  }
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @f(%i: index, %a: f32) {
// expected-error @+1 {{use of value '%a' expects different type than prior uses: 'i32' vs 'f32'}}
  scf.for %k = %i to %i step %i iter_args(%x = %a) -> (i32) {
    scf.yield %x : i32
  }
  return
}

// -----

func.func @f(%i: index, %a: f32) {
// expected-error @+1 {{operation defines 1 results but was provided 2 to bind}}
  %0:2 = scf.for %k = %i to %i step %i iter_args(%x = %a) -> (f32) {
    scf.yield %x : f32
  }
  return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{'scf.for' op different number of inits and region iter_args: 0 !=}}
  "scf.for"(%i, %i, %i) ({
  ^a:
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{'scf.for' op expected 3 or more operands, but found 2}}
  "scf.for"(%i, %i) ({
  ^a(%k: index):
    "scf.yield"() : () -> ()
  }) : (index, index) -> ()
  return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{'scf.for' op expected induction variable to be same type as bounds and}}
  "scf.for"(%i, %i, %i) ({
  ^a(%k: i32):
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}
