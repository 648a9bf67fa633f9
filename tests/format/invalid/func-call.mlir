// RUN: orison-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

func.func @f() {
// expected-error @+1 {{'func.call' op 'nowhere' does not reference a valid function}}
  call @nowhere() : () -> ()
  return
}

// -----

func.func private @g(i32)
func.func @f() {
// expected-error @+1 {{'func.call' op incorrect number of operands for callee}}
  call @g() : () -> ()
  return
}

// -----

func.func private @g(i32)
func.func @f(%a: i64) {
// expected-error @+1 {{'func.call' op operand type mismatch: expected operand type 'i32', but}}
  call @g(%a) : (i64) -> ()
  return
}

// -----

func.func private @g() -> i32
func.func @f() {
// expected-error @+3 {{'func.call' op result type mismatch at index 0}}
// expected-note @+2 {{op result types: 'i64'}}
// expected-note @+1 {{function result types: 'i32'}}
  %0 = call @g() : () -> i64
  return
}

// -----

func.func private @g() -> i32
func.func @f() {
// expected-error @+1 {{'func.call' op incorrect number of results for callee}}
  call @g() : () -> ()
  return
}

// -----

func.func private @g(i32)
func.func @f(%a: i32) {
// expected-error @+1 {{custom op 'func.call' number of operands and types do not match: got 1}}
  call @g(%a) : () -> ()
  return
}

// -----

func.func @f() {
// expected-error @+1 {{expected '('}}
  call @f : () -> ()
  return
}

// -----

func.func @f() {
// expected-error @+1 {{expected attribute value}}
  call f() : () -> ()
  return
}

// -----

func.func @f() {
// expected-error @+1 {{custom op 'func.call' invalid kind of type specified: expected}}
  call @f() : i32
  return
}

// -----

func.func @f() {
// expected-error @+1 {{'func.constant' op reference to undefined function 'nowhere'}}
  %0 = constant @nowhere : () -> ()
  return
}

// -----

func.func private @g(i32)
func.func @f() {
// expected-error @+1 {{'func.constant' op reference to function with mismatched type}}
  %0 = constant @g : () -> ()
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @f(%g: (i32) -> (), %a: i64) {
// expected-error @+1 {{use of value '%g' expects different type than prior uses: '(i64) -> ()'}}
  call_indirect %g(%a) : (i64) -> ()
  return
}

// -----

func.func @f(%g: i32) {
// expected-error @+1 {{custom op 'func.call_indirect' invalid kind of type specified: expected}}
  call_indirect %g() : i32
  return
}

// -----

module @m {}
func.func @f() {
// expected-error @+1 {{'func.call' op 'm' does not reference a valid function}}
  call @m() : () -> ()
  return
}

// -----

func.func @f() {
// expected-error @+1 {{'func.call' op requires attribute 'callee'}}
  "func.call"() : () -> ()
  return
}
