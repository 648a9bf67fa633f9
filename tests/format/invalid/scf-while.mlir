// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

func.func @f(%c: i1) {
// expected-error @+1 {{'scf.while' op expects the 'before' region to terminate with}}
  scf.while : () -> () {
// expected-note @+1 {{terminator here}}
    scf.yield
  } do {
    scf.yield
  }
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @f(%c: i32) {
  scf.while : () -> () {
// expected-error @+1 {{use of value '%c' expects different type than prior uses: 'i1' vs 'i32'}}
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}

// -----

func.func @f(%c: i1, %a: i32) {
// expected-error @+1 {{'scf.while' op along control flow edge from Operation scf.condition to}}
  %0 = scf.while (%x = %a) : (i32) -> i32 {
// expected-note @+1 {{region branch point}}
    scf.condition(%c)
  } do {
  ^b(%y: i32):
    scf.yield %y : i32
  }
  return
}

// -----

func.func @f(%c: i1, %a: i32) {
// expected-error @+1 {{'scf.while' op along control flow edge from Operation scf.yield to}}
  %0 = scf.while (%x = %a) : (i32) -> i32 {
    scf.condition(%c) %x : i32
  } do {
  ^b(%y: i32):
// expected-note @+1 {{region branch point}}
    scf.yield
  }
  return
}

// -----

func.func @f(%c: i1, %a: i32) {
  %0 = scf.while (%x = %a) : (i32) -> i32 {
    scf.condition(%c) %x : i32
  } do {
  ^b(%y: i64):
// expected-error @+1 {{use of undeclared SSA value name}}
    scf.yield %x : i32
  }
  return
}

// -----

func.func @f(%c: i1, %a: i32) {
// expected-error @+1 {{custom op 'scf.while' expected as many input types as operands}}
  %0 = scf.while (%x = %a) : (i32, i32) -> i32 {
    scf.condition(%c) %x : i32
  } do {
  ^b(%y: i32):
    scf.yield %y : i32
  }
  return
}

// -----

func.func @f(%c: i1) {
  scf.while : () -> () {
    scf.condition(%c)
  }
// expected-error @+1 {{custom op 'scf.while' expected 'do'}}
  return
}

// -----

func.func @f(%c: i1) {
// expected-error @+1 {{'scf.condition' op expects parent op 'scf.while'}}
  scf.condition(%c)
  return
}
