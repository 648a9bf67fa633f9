// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

func.func @f() -> i32 {
// expected-error @+1 {{'func.return' op has 0 operands, but enclosing function (@f) returns 1}}
  return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{'func.return' op has 1 operands, but enclosing function (@f) returns 0}}
  return %a : i32
}

// -----

func.func @f(%a: i32) -> i64 {
// expected-error @+1 {{type of return operand 0 ('i32') doesn't match function result type}}
  return %a : i32
}

// -----

func.func @f(%a: i32) -> (i32, i32) {
// expected-error @+1 {{'func.return' op has 1 operands, but enclosing function (@f) returns 2}}
  return %a : i32
}

// -----

func.func @f(%a: i32) -> i32 {
// expected-error @+1 {{expected ':'}}
  return %a
}

// -----

func.func @f(%a: i32) -> i32 {
// expected-error @+1 {{custom op 'func.return' number of operands and types do not match: got}}
  return %a : i32, i32
}

// -----

// expected-note @+1 {{prior use here}}
func.func @f(%a: i32) -> i32 {
// expected-error @+1 {{use of value '%a' expects different type than prior uses: 'i64' vs 'i32'}}
  return %a : i64
}
