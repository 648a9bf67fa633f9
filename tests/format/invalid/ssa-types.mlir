// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// expected-note @+1 {{prior use here}}
%0 = "d.def"() : () -> i32
// expected-error @+1 {{use of value '%0' expects different type than prior uses: 'i64' vs 'i32'}}
"d.use"(%0) : (i64) -> ()

// -----

// expected-note @+1 {{previously used here with type 'i64'}}
"d.use"(%0) : (i64) -> ()
// expected-error @+1 {{definition of SSA value '%0#0' has type 'i32'}}
%0 = "d.def"() : () -> i32

// -----

// expected-note @+1 {{prior use here}}
"d.use"(%0) : (i64) -> ()
// expected-error @+1 {{use of value '%0' expects different type than prior uses: 'i32' vs 'i64'}}
"d.use"(%0) : (i32) -> ()

// -----

// expected-note @+1 {{prior use here}}
func.func @f(%a: i32, %b: i64) {
// expected-error @+1 {{use of value '%b' expects different type than prior uses: 'i32' vs 'i64'}}
  %0 = arith.addi %a, %b : i32
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @f(%a: i32) -> i64 {
// expected-error @+1 {{use of value '%a' expects different type than prior uses: 'i64' vs 'i32'}}
  %0 = arith.addi %a, %a : i64
  return %0 : i64
}
