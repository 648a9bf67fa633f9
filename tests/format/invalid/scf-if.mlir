// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-note @+1 {{prior use here}}
func.func @f(%c: i32) {
// expected-error @+1 {{use of value '%c' expects different type than prior uses: 'i1' vs 'i32'}}
  scf.if %c {}
  return
}

// -----

func.func @f(%c: i1, %a: i32) {
// expected-error @+1 {{'scf.if' op must have an else block if defining values}}
  %0 = scf.if %c -> (i32) {
    scf.yield %a : i32
  }
  return
}

// -----

func.func @f(%c: i1, %a: i32) {
// expected-error @+2 {{'scf.if' op along control flow edge from Operation scf.yield to parent:}}
// expected-note @+1 {{region branch point}}
  %0 = scf.if %c -> (i32) {
    scf.yield %a : i32
  } else {
  }
  return
}

// -----

func.func @f(%c: i1, %a: i32) {
// expected-error @+1 {{'scf.if' op along control flow edge from Operation scf.yield to parent:}}
  %0 = scf.if %c -> (i64) {
// expected-note @+1 {{region branch point}}
    scf.yield %a : i32
  } else {
    scf.yield %a : i32
  }
  return
}

// -----

func.func @f(%c: i1, %a: i32) {
// expected-error @+1 {{'scf.if' op along control flow edge from Operation scf.yield to parent:}}
  scf.if %c {
// expected-note @+1 {{region branch point}}
    scf.yield %a : i32
  }
  return
}

// -----

func.func @f(%c: i1) {
// expected-error @+1 {{expected '{' to begin a region}}
  scf.if %c
  return
}

// -----

func.func @f(%c: i1) {
// expected-error @+1 {{expected SSA operand}}
  scf.if {}
  return
}

// -----

func.func @f(%c: i1) {
  scf.if %c {
// expected-error @+1 {{expected '{' to begin a region}}
  } else
  return
}

// -----

func.func @f(%c: i1) {
// expected-error @+1 {{'scf.if' op expected 2 regions}}
  "scf.if"(%c) ({
    "scf.yield"() : () -> ()
  }) : (i1) -> ()
  return
}

// -----

func.func @f(%c: i1) {
// expected-error @+1 {{'scf.if' op expects region #0 to have 0 or 1 blocks}}
  scf.if %c {
    cf.br ^a
  ^a:
    scf.yield
  }
  return
}
